import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageTag, pullPolicyFor } from './image-tag.ts';

const digest = `sha256:${'ab'.repeat(32)}`;

for (const [image, tag] of [
  ['nginx', 'latest'],
  ['nginx:latest', 'latest'],
  ['nginx:1.25', '1.25'],
  ['registry.example:5000/team/app', 'latest'],
  ['registry.example:5000/team/app:v1', 'v1'],
  ['[fd00::1]:5000/app:v1', 'v1'],
  [`nginx@${digest}`, undefined],
  [`nginx:1.25@${digest}`, '1.25'],
  ['NGINX', undefined],
  ['nginx:', undefined],
  ['ab'.repeat(32), undefined],
  ['x'.repeat(247), 'latest'],
  ['x'.repeat(248), undefined],
  [`registry.example/${'x'.repeat(255)}`, 'latest'],
  [`registry.example/${'x'.repeat(256)}`, undefined],
  [`team/${'x'.repeat(250)}`, 'latest'],
  [`team/${'x'.repeat(251)}`, undefined],
  ['', undefined],
] as const) {
  test(`the tag of ${image.length > 60 ? `${image.slice(0, 20)}… (${image.length})` : image || 'no image'} is ${tag ?? 'unknown'}`, () => {
    assert.equal(imageTag(image), tag);
    assert.equal(pullPolicyFor(image), tag === 'latest' ? 'Always' : 'IfNotPresent');
  });
}
