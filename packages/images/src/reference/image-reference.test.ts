import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseImageReference, repositoryName } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { canonicalName, formatImage, parseImage, sameImage } from './image-reference.ts';

const parts = (text: string): string => {
  const { alias, registry, name, tag = '-', digest = '-' } = parseImage(text);
  return [alias, registry, name, tag, digest].join(' | ');
};

const table: readonly (readonly [string, string])[] = [
  ['nginx', ' |  | nginx | - | -'],
  ['web=nginx:1.29', 'web |  | nginx | 1.29 | -'],
  ['registry:5000/team/app:^1.2', ' | registry:5000 | team/app | ^1.2 | -'],
  ['a=localhost/x', 'a | localhost | x | - | -'],
  ['team/app:>=1.0 <2', ' |  | team/app | >=1.0 <2 | -'],
  ['app=ghcr.io/team/app:>=1.0, !=1.3', 'app | ghcr.io | team/app | >=1.0, !=1.3 | -'],
  ['docker.io/library/nginx:1', ' | docker.io | nginx | 1 | -'],
  ['a.b/c@sha256:1', ' | a.b | c | - | sha256:1'],
  ['a.b:1/c:t@sha256:1', ' | a.b:1 | c | t | sha256:1'],
];
for (const [text, expected] of table) test(`parses ${text}`, () => assert.equal(parts(text), expected));

test('all spellings of a Docker Hub image are the same image', () => {
  const names = [
    'nginx',
    'library/nginx',
    'docker.io/nginx',
    'docker.io/library/nginx',
    'index.docker.io/library/nginx',
  ];
  for (const a of names) for (const b of names) assert.ok(sameImage(parseImage(a), parseImage(b)), `${a} ${b}`);
  assert.equal(canonicalName(parseImage('nginx')), 'docker.io/library/nginx');
  for (const other of ['quay.io/nginx', 'team/nginx', 'harbor.example.com/library/nginx'])
    assert.ok(!sameImage(parseImage('nginx'), parseImage(other)), other);
});

test('formatImage is the inverse of parseImage', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}(\/[a-z]{1,4}){0,2}$/u);
  const registry = fc.constantFrom('', 'ghcr.io/', 'registry:5000/', 'localhost/', '10.0.0.1:80/');
  const version = fc.constantFrom('', ':1.0', ':^1', ':1@sha256:ab', '@sha256:ab', ':>=1.0');
  fc.assert(
    fc.property(fc.constantFrom('', 'web='), registry, name, version, (alias, host, image, suffix) => {
      const text = `${alias}${host}${image}${suffix}`;
      const once = parseImage(text);
      assert.deepEqual({ ...parseImage(formatImage(once)), original: '' }, { ...once, original: '' }, text);
    }),
  );
});

test('parseImage and the shared image parser agree on the repository', () => {
  const images = [
    'nginx',
    'library/nginx',
    'docker.io/nginx',
    'docker.io/library/nginx:1',
    'index.docker.io/library/nginx',
    'quay.io/acme/web:1.0',
    'localhost:5000/web',
    'acme/web',
  ];
  for (const text of images)
    assert.equal(canonicalName(parseImage(text)), repositoryName(parseImageReference(text)), text);
});
