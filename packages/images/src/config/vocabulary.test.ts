import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { strategies, strategyNames } from '../tags/strategy.ts';
import { annotationTable } from './annotation-table.ts';

const docs = readFileSync(new URL('../../../../docs/images.md', import.meta.url), 'utf8');

test('docs/images.md describes every update strategy', () => {
  for (const name of strategyNames)
    assert.ok(docs.includes(`| \`${name}\` | ${strategies[name].description}`), `a row for ${name}`);
});

test('docs/images.md lists every annotation', () => {
  for (const { suffix } of Object.values(annotationTable))
    assert.ok(docs.includes(suffix.replace(/^helm/u, '')), `the annotation ${suffix}`);
});
