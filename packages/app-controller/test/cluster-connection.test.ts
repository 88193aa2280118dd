/** Each authentication method of a Secret, with a real API server (the embedded one). */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ControlPlane, startControlPlane } from '@fairlead/control-plane';
import { silentLogger, systemClock } from '@fairlead/kube';
import { connectTo } from '../src/cluster/cluster-connection.ts';
import { readClusterSecret } from '../src/cluster/cluster-secret.ts';

let plane: ControlPlane;
let dir: string;
before(async () => {
  plane = await startControlPlane();
  dir = await mkdtemp(join(tmpdir(), 'fairlead-connection-'));
});
after(async () => {
  await plane.close();
  await rm(dir, { recursive: true, force: true });
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function connect(config: object, server = plane.url): Promise<string> {
  const data = { server: base64(server), name: base64('c'), config: base64(JSON.stringify(config)) };
  const read = readClusterSecret({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'argocd' },
    data,
  });
  assert.equal(read.problem, undefined);
  const connection = connectTo(read.config!, { environment: process.env, clock: systemClock, log: silentLogger });
  try {
    const kinds = await connection.discover();
    assert.ok(kinds.some(({ kind }) => kind === 'ConfigMap'));
    const type = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    await connection.client.get(type, { name: 'default' });
    return await connection.version();
  } finally {
    await connection.close();
  }
}

test('a bearer token and a custom CA are used', async () => {
  assert.match(await connect({ bearerToken: plane.token, tlsClientConfig: { caData: base64(plane.ca) } }), /^v1\./);
});

test('a client certificate is used', async () => {
  const { cert, key } = await plane.issueClient('ada', ['system:masters']);
  const tlsClientConfig = { caData: base64(plane.ca), certData: base64(cert), keyData: base64(key) };
  assert.match(await connect({ tlsClientConfig }), /^v1\./);
});

test('an exec plugin provides credentials', async () => {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: plane.token },
  };
  const program = join(dir, 'login');
  await writeFile(program, `#!/bin/sh\n[ "$MODE" = good ] && echo '${JSON.stringify(credential)}'\n`);
  await chmod(program, 0o755);
  const exec = { command: program, apiVersion: 'client.authentication.k8s.io/v1', env: { MODE: 'good' } };
  const tlsClientConfig = { caData: base64(plane.ca) };
  assert.match(await connect({ execProviderConfig: exec, tlsClientConfig }), /^v1\./);
  const failing = connect({ execProviderConfig: { ...exec, env: { MODE: 'bad' } }, tlsClientConfig });
  await assert.rejects(failing, /exec plugin .*login/);
});

test('a server may be verified by another name, or not at all', async () => {
  const caData = base64(plane.ca);
  const config = { bearerToken: plane.token, tlsClientConfig: { caData, serverName: 'kubernetes' } };
  const other = plane.url.replace('127.0.0.1', 'localhost');
  assert.match(await connect(config, other), /^v1\./);
  await assert.rejects(
    connect({ ...config, tlsClientConfig: { caData, serverName: 'another.example' } }),
    /another\.example/,
  );
  await assert.rejects(connect({ bearerToken: plane.token, tlsClientConfig: {} }), /certificate/);
  assert.match(await connect({ bearerToken: plane.token, tlsClientConfig: { insecure: true } }), /^v1\./);
});

test('a rejected token and an unreachable server are reported', async () => {
  await assert.rejects(connect({ bearerToken: 'wrong', tlsClientConfig: { insecure: true } }), /Unauthorized|401/);
  await assert.rejects(
    connect({ bearerToken: 'x', tlsClientConfig: { insecure: true } }, 'https://127.0.0.1:1'),
    /ECONNREFUSED/,
  );
});
