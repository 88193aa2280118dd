/** One port for TLS and its redirect; the certificate of the server. */
import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import { test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { type Secret, secretType, secretValue } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { credentials } from '@grpc/grpc-js';
import type { Certificate } from '../src/tls/certificate.ts';
import { selfSigned } from '../src/tls/self-signed.ts';
import { TestGrpcClient } from './support/grpc-client.ts';
import { namespace, startTestServer } from './support/test-server.ts';

const handshake = (port: number, protocols: string[]): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: protocols, rejectUnauthorized: false }, () => {
      socket.end();
      resolve(socket);
    });
    socket.on('error', reject);
  });

const statusOver = (port: number, ca: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpsRequest({ port, host: 'localhost', path: '/api/version', ca }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });

test('REST and gRPC are served with a generated certificate, which is stored', async (t) => {
  const server = await startTestServer({ tls: true });
  t.after(() => server.close());
  const secret = await server.client.get<Secret>(secretType, { namespace, name: 'argocd-secret' });
  const ca = secretValue(secret, 'tls.crt') ?? '';
  assert.equal(await statusOver(server.port, ca), 200);
  const client = new TestGrpcClient(server.port, credentials.createSsl(Buffer.from(ca)));
  t.after(() => client.close());
  assert.deepEqual(await client.unary('Version.Version', {}), { Version: 'v1' });
});

test('clients that offer both protocols get HTTP/1.1, and gRPC clients HTTP/2', async (t) => {
  const server = await startTestServer({ tls: true });
  t.after(() => server.close());
  assert.equal((await handshake(server.port, ['h2', 'http/1.1'])).alpnProtocol, 'http/1.1');
  assert.equal((await handshake(server.port, ['h2'])).alpnProtocol, 'h2');
});

test('requests without TLS are redirected', async (t) => {
  const server = await startTestServer({ tls: true });
  t.after(() => server.close());
  const url = `http://127.0.0.1:${server.port}/api/version?a=b`;
  const answer = await fetch(url, { redirect: 'manual' });
  assert.equal(answer.status, 307);
  assert.equal(answer.headers.get('location'), url.replace('http:', 'https:'));
});

test('a certificate in Secret argocd-server-tls replaces the other at once; one that cannot be used does not', async (t) => {
  const server = await startTestServer({ tls: true });
  t.after(() => server.close());
  const names = async (): Promise<string> =>
    (await handshake(server.port, [])).getPeerCertificate().subjectaltname ?? '';
  const untilServed = async (name: string): Promise<void> => {
    for (let i = 0; i < 200 && !(await names()).includes(name); i++) await sleep(systemClock, 20);
    assert.match(await names(), new RegExp(name, 'u'));
  };
  assert.match(await names(), /argocd-server\.argocd\.svc/u);
  const metadata = { name: 'argocd-server-tls', namespace };
  const dataOf = ({ cert, key }: Certificate): Record<string, string> => ({
    'tls.crt': base64(cert),
    'tls.key': base64(key),
  });
  const data = dataOf(await selfSigned(['one.example.com'], Date.now()));
  await server.client.create(secretType, { apiVersion: 'v1', kind: 'Secret', metadata, data } as Secret);
  await untilServed('one.example.com');
  await server.client.patch(secretType, metadata, 'merge', { data: { 'tls.crt': base64('none') } });
  assert.match(await names(), /one\.example\.com/u);
  const next = dataOf(await selfSigned(['two.example.com'], Date.now()));
  await server.client.patch(secretType, metadata, 'merge', { data: next });
  await untilServed('two.example.com');
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test('connections that send nothing, or no TLS, do not disturb others', async (t) => {
  const server = await startTestServer({ tls: true });
  t.after(() => server.close());
  const { connect: open } = await import('node:net');
  for (const bytes of [Buffer.alloc(0), Buffer.from([0x16, 3, 1]), Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')]) {
    const socket = open(server.port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.write(bytes);
  }
  assert.equal((await handshake(server.port, ['h2'])).alpnProtocol, 'h2');
});
