import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Company } from './company.ts';

test('who works alone has no company, however often', () => {
  const company = new Company(1_000);
  for (const now of [0, 10, 20]) assert.equal(company.has('a', now), false);
});

test('others are company for a while after their work', () => {
  const company = new Company(1_000);
  company.has('a', 0);
  assert.equal(company.has('b', 10), true);
  assert.equal(company.has('b', 1_000), true);
  assert.equal(company.has('b', 1_001), false);
  assert.equal(company.has('a', 1_002), true);
});
