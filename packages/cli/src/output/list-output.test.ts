import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@fairlead/apimachinery';
import { parseJsonPathTemplate } from './json-path-template.ts';
import { customOutput, sorted } from './list-output.ts';

const objects: Json[] = [
  { metadata: { name: 'web', labels: { tier: 'front' } }, status: { health: 'Healthy', count: 10 } },
  { metadata: { name: 'db' }, status: { count: 9 } },
];

test('jsonpath prints values, text and ranges as kubectl does', () => {
  const list = (text: string): string => parseJsonPathTemplate(text)({ items: objects });
  assert.equal(list('{.items[*].metadata.name}'), 'web db');
  assert.equal(list('.items[0].metadata.name'), 'web');
  assert.equal(list('{range .items[*]}{.metadata.name}{"\\t"}{.status.count}{"\\n"}{end}'), 'web\t10\ndb\t9\n');
  assert.equal(list('{.items[?(@.status.health=="Healthy")].metadata.name}'), 'web');
  assert.equal(list('names: {.items[*].metadata.name}.'), 'names: web db.');
  assert.equal(list('{.items[0].metadata.labels}'), '{"tier":"front"}');
  assert.equal(list('{.none}'), '');
});

test('a template that does not parse is refused with the reason', () => {
  for (const [text, why] of [
    ['{.items[}', /\.items\[ is not a path/u],
    ['{range .items[*]}x', /\{range\} without \{end\}/u],
    ['x{end}', /\{end\} without \{range\}/u],
    ['{.items', /a \{ is not closed/u],
  ] as const)
    assert.throws(() => parseJsonPathTemplate(text), why, text);
});

test('custom columns show a path for each object, with or without the header', () => {
  const output = 'custom-columns=NAME:.metadata.name,HEALTH:.status.health';
  assert.equal(customOutput(objects, { output }), 'NAME   HEALTH\nweb    Healthy\ndb     <none>\n');
  assert.equal(customOutput(objects, { output, 'no-headers': true }), 'web   Healthy\ndb    <none>\n');
  assert.throws(() => customOutput(objects, { output: 'custom-columns=NAME' }), /use HEADER:\.path,HEADER:\.path/u);
  assert.equal(customOutput(objects, { output: 'json' }), undefined);
});

test('one object is the root of jsonpath, a list has items', () => {
  assert.equal(customOutput(objects.slice(0, 1), { output: 'jsonpath={.metadata.name}' }, true), 'web');
  assert.equal(customOutput(objects.slice(0, 1), { output: 'jsonpath={.items[0].metadata.name}' }), 'web');
});

test('objects are sorted by numbers or text, those without the field first', () => {
  const names = (by: string): Json[] => sorted(objects, { 'sort-by': by }, (one) => one).map((one) => one);
  assert.deepEqual(names('.status.count'), [objects[1], objects[0]]);
  assert.deepEqual(names('{.metadata.name}'), [objects[1], objects[0]]);
  assert.deepEqual(names('metadata.labels.tier'), [objects[1], objects[0]]);
  assert.deepEqual(
    sorted(objects, {}, (one) => one),
    objects,
  );
  assert.throws(() => names('['), /--sort-by \[: \[ is not a path/u);
});
