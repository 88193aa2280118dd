import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalImageName,
  ImageReferenceError,
  imageReferenceProblem,
  parseImageReference,
  tryParseImageReference,
} from './image-reference.ts';

test('all spellings of a Docker Hub image have one canonical name', () => {
  const spellings = [
    'nginx',
    'library/nginx',
    'docker.io/nginx',
    'docker.io/library/nginx',
    'index.docker.io/library/nginx:latest',
    'registry-1.docker.io/nginx',
  ];
  for (const text of spellings)
    assert.equal(canonicalImageName(parseImageReference(text)), 'docker.io/library/nginx:latest', text);
});

const canonical: readonly (readonly [string, string])[] = [
  ['nginx:1.29', 'docker.io/library/nginx:1.29'],
  ['team/app', 'docker.io/team/app:latest'],
  ['registry:5000/team/app:v1', 'registry:5000/team/app:v1'],
  ['localhost/x', 'localhost/x:latest'],
  [`quay.io/a/b:1@sha256:${'a'.repeat(64)}`, `quay.io/a/b@sha256:${'a'.repeat(64)}`],
  ['[::1]:5000/a', '[::1]:5000/a:latest'],
];
for (const [text, name] of canonical)
  test(`${text} is ${name}`, () => assert.equal(canonicalImageName(parseImageReference(text)), name));

const invalid: readonly (readonly [string, RegExp])[] = [
  ['', /empty/],
  ['Nginx', /invalid repository component "Nginx"/],
  ['a//b', /empty/],
  ['nginx:', /invalid tag ""/],
  ['nginx:a b', /invalid tag "a b"/],
  ['nginx@sha256:1', /invalid digest/],
  [`nginx@sha256:${'a'.repeat(64)}@x`, /more than one "@"/],
  ['a'.repeat(300), /longer than 255/],
  ['f'.repeat(64), /image ID/],
  ['exa_mple.com/a', /invalid registry host/],
];
for (const [text, problem] of invalid)
  test(`${JSON.stringify(text.slice(0, 40))} is not an image reference`, () => {
    assert.match(imageReferenceProblem(text) ?? '', problem);
    assert.equal(tryParseImageReference(text), undefined);
    assert.throws(() => parseImageReference(text), ImageReferenceError);
  });
