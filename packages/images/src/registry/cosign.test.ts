import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { HttpSession } from '@fairlead/source/oci';
import { inferEndpoint } from '../config/registry-endpoints.ts';
import { type DemoRegistry, startDemoRegistry } from '../demo-registry/demo-registry.ts';
import { pushBlob, pushImage, pushManifest } from '../demo-registry/push-image.ts';
import { verifySignature } from './cosign.ts';
import { httpRegistries } from './http-registry.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const http = new HttpSession({ clock: systemClock, environment: {} });
let registry: DemoRegistry;

before(async () => {
  registry = await startDemoRegistry();
});
after(async () => {
  await registry.close();
  await http.close();
});

const client = () =>
  httpRegistries({ http, clock: systemClock })({ ...inferEndpoint('x'), apiUrl: registry.url, limit: 0 }, undefined);
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

async function attach(
  repository: string,
  digest: string,
  mediaType: string,
  blob: Buffer,
  annotations: Record<string, string>,
  suffix = '.sig',
): Promise<void> {
  const config = await pushBlob(registry.url, repository, Buffer.from('{}'));
  const layer = { mediaType, ...(await pushBlob(registry.url, repository, blob)), annotations };
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: [layer],
  };
  await pushManifest(
    registry.url,
    repository,
    `${digest.replace(':', '-')}${suffix}`,
    Buffer.from(JSON.stringify(manifest)),
    manifestType,
  );
}

const signed = (bytes: Buffer): string => createSign('sha256').update(bytes).sign(privateKey, 'base64');
const payloadFor = (digest: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      critical: { image: { 'docker-manifest-digest': digest }, type: 'cosign container image signature' },
    }),
  );
const push = (repository: string, tag = '1.0.0') =>
  pushImage(registry.url, { repository, tag, created: new Date(repository.length * 1e9) });

async function simple(repository: string, digest: string, of = digest, sign = signed): Promise<void> {
  const payload = payloadFor(of);
  await attach(repository, digest, 'application/vnd.dev.cosign.simplesigning.v1+json', payload, {
    'dev.cosignproject.cosign/signature': sign(payload),
  });
}

test('a valid signature returns the signed digest', async () => {
  const digest = await push('good');
  await simple('good', digest);
  assert.equal(await verifySignature(client(), 'good', '1.0.0', pem), digest);
});

test('a bundle with a statement is supported too', async () => {
  const digest = await push('bundled');
  const payload = Buffer.from(
    JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', subject: [{ digest: { sha256: digest.slice(7) } }] }),
  );
  const type = 'application/vnd.in-toto+json';
  const sig = signed(Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]));
  const bundle = Buffer.from(
    JSON.stringify({ dsseEnvelope: { payload: payload.toString('base64'), payloadType: type, signatures: [{ sig }] } }),
  );
  await attach('bundled', digest, 'application/vnd.dev.sigstore.bundle.v0.3+json', bundle, {}, '');
  assert.equal(await verifySignature(client(), 'bundled', '1.0.0', pem), digest);
});

test('a missing signature, another key, another image and a moved tag are not verified', async () => {
  await push('bare');
  await assert.rejects(verifySignature(client(), 'bare', '1.0.0', pem), {
    reason: 'NotVerified',
    message: /has no signature/u,
  });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const foreign = await push('foreign');
  await simple('foreign', foreign, foreign, (bytes) => createSign('sha256').update(bytes).sign(other, 'base64'));
  await assert.rejects(verifySignature(client(), 'foreign', '1.0.0', pem), {
    reason: 'NotVerified',
    message: /of the key/u,
  });
  const swapped = await push('swapped');
  await simple('swapped', swapped, `sha256:${'0'.repeat(64)}`);
  await assert.rejects(verifySignature(client(), 'swapped', '1.0.0', pem), { reason: 'NotVerified' });
  const moved = await push('moved');
  await simple('moved', moved);
  await pushImage(registry.url, { repository: 'moved', tag: '1.0.0', created: new Date(1) });
  await assert.rejects(verifySignature(client(), 'moved', '1.0.0', pem), { reason: 'NotVerified' });
  await assert.rejects(verifySignature(client(), 'moved', '1.0.0', 'no key'), { reason: 'InvalidSettings' });
});
