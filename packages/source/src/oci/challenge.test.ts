import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseChallenges } from './challenge.ts';
import { parseOciReference, registryServer } from './reference.ts';

const challenges: [header: string, found: unknown[]][] = [
  [
    'Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull,push"',
    [
      {
        scheme: 'bearer',
        parameters: { realm: 'https://auth.example.com/token', service: 'registry', scope: 'repository:a/b:pull,push' },
      },
    ],
  ],
  ['Basic realm="x"', [{ scheme: 'basic', parameters: { realm: 'x' } }]],
  ['BASIC', [{ scheme: 'basic', parameters: {} }]],
  [
    'Negotiate, Basic realm="a \\"b\\"", Bearer realm=c',
    [
      { scheme: 'negotiate', parameters: {} },
      { scheme: 'basic', parameters: { realm: 'a "b"' } },
      { scheme: 'bearer', parameters: { realm: 'c' } },
    ],
  ],
  ['', []],
  ['=;;', []],
];
for (const [header, found] of challenges) {
  test(`challenge: ${header || 'nothing'}`, () => assert.deepEqual(parseChallenges(header), found));
}

test('OCI references are parsed', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  assert.deepEqual(parseOciReference('oci://Ghcr.io/a/b'), { registry: 'ghcr.io', repository: 'a/b' });
  assert.deepEqual(parseOciReference('localhost:5000/a:v1'), {
    registry: 'localhost:5000',
    repository: 'a',
    tag: 'v1',
  });
  assert.deepEqual(parseOciReference(`oci://h/a:v1@${digest}`), { registry: 'h', repository: 'a', tag: 'v1', digest });
  for (const wrong of [
    '',
    'oci://',
    'oci://host',
    'oci://host/',
    'oci://host/A',
    'oci://ho st/a',
    'oci://me:pw@host/a',
    'oci://host/../a',
    'oci://h/a:',
    'oci://h/a@sha256:1',
    'oci://h/a/-b',
    'oci://-h/a',
    'oci://h/a?x=y',
  ]) {
    assert.throws(() => parseOciReference(wrong), { name: 'SourceError', reason: 'InvalidUrl' }, wrong);
  }
});

test('the server URL of a registry name', () => {
  assert.equal(registryServer('docker.io'), 'https://registry-1.docker.io');
  assert.equal(registryServer('ghcr.io'), 'https://ghcr.io');
  assert.equal(registryServer('localhost:5000'), 'http://localhost:5000');
  assert.equal(registryServer('ghcr.io', true), 'http://ghcr.io');
});

test('all spellings of an OCI reference to Docker Hub are the same image', () => {
  const expected = { registry: 'docker.io', repository: 'library/nginx' };
  for (const text of ['docker.io/nginx', 'docker.io/library/nginx', 'oci://index.docker.io/library/nginx'])
    assert.deepEqual(parseOciReference(text), expected, text);
});
