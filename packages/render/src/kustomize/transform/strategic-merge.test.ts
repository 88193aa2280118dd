import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectValue } from '../node/node-value.ts';
import { readNode } from '../node/read-nodes.ts';
import { builtInSchema } from '../schema/built-in-schema.ts';
import { strategicMerge } from './strategic-merge.ts';

const merged = (kind: string, target: string, patch: string): unknown => {
  const [base, change] = [target, patch].map((text) => readNode(`${kind}\n${text}`)!);
  const result = strategicMerge(base!, change!, builtInSchema);
  if (!result) return undefined;
  const { apiVersion: _a, kind: _k, ...rest } = objectValue(result);
  return rest;
};

const pod = 'apiVersion: v1\nkind: Pod';
const other = 'apiVersion: x.io/v1\nkind: Foo';
const spec = (text: string): string => `spec: ${text}`;

const table: readonly (readonly [name: string, kind: string, target: string, patch: string, result: unknown])[] = [
  ['maps merge, null removes', other, '{a: 1, b: {c: 2, d: 3}}', '{a: null, b: {c: 4}}', { b: { c: 4, d: 3 } }],
  ['lists of other kinds are replaced', other, '{l: [1, 2]}', '{l: [3]}', { l: [3] }],
  [
    'elements of the patch are first',
    pod,
    '{containers: [{name: a, image: x}]}',
    '{containers: [{name: b}, {name: a, tty: true}]}',
    { containers: [{ name: 'b' }, { name: 'a', image: 'x', tty: true }] },
  ],
  [
    'an element is deleted',
    pod,
    '{containers: [{name: a}, {name: b}]}',
    '{containers: [{name: a, $patch: delete}]}',
    { containers: [{ name: 'b' }] },
  ],
  [
    'a list is replaced',
    pod,
    '{containers: [{name: a}]}',
    '{containers: [{$patch: replace}, {name: b}]}',
    { containers: [{ name: 'b' }] },
  ],
  ['a map is replaced', other, '{m: {a: 1}}', '{m: {$patch: replace, b: 2}}', { m: { b: 2 } }],
  ['a map is deleted', other, '{m: {a: 1}, n: 1}', '{m: {$patch: delete}}', { n: 1 }],
  [
    'ports differ by protocol',
    pod,
    '{containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}]}]}',
    '{containers: [{name: a, ports: [{containerPort: 80, protocol: UDP}]}]}',
    {
      containers: [
        {
          name: 'a',
          ports: [
            { containerPort: 80, protocol: 'UDP' },
            { containerPort: 80, protocol: 'TCP' },
          ],
        },
      ],
    },
  ],
  [
    'a port without protocol is lost beside the one with it, as in Kustomize',
    pod,
    '{containers: [{name: a, ports: [{containerPort: 80, protocol: TCP}]}]}',
    '{containers: [{name: a, ports: [{containerPort: 80, name: http}]}]}',
    { containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
  ],
  [
    'an empty value in the target is removed, an explicit null is kept',
    other,
    '{a: , b: null}',
    '{c: 1}',
    { b: null, c: 1 },
  ],
  ['nulls of new maps are removed', other, '{}', '{m: {a: null, b: 1}}', { m: { b: 1 } }],
];

for (const [name, kind, target, patch, result] of table) {
  test(name, () => assert.deepEqual(merged(kind, spec(target), spec(patch)), { spec: result }));
}

test('plain lists of metadata merge', () => {
  const text = (list: string): string => `metadata: {name: x, finalizers: [${list}]}`;
  assert.deepEqual(merged(pod, text('a, b'), text('c, a')), { metadata: { name: 'x', finalizers: ['c', 'a', 'b'] } });
});

test('a nested object has its own type', () => {
  const inner = (list: string): string => spec(`{object: {apiVersion: v1, kind: Pod, spec: {containers: [${list}]}}}`);
  const containers = [{ name: 'b' }, { name: 'a' }];
  const result = { spec: { object: { apiVersion: 'v1', kind: 'Pod', spec: { containers } } } };
  assert.deepEqual(merged(other, inner('{name: a}'), inner('{name: b}')), result);
});

test('the whole object is deleted', () => assert.equal(merged(pod, '', '$patch: delete'), undefined));

test('values that cannot be merged are an error', () => {
  assert.throws(
    () => merged(other, spec('{a: [1]}'), spec('{a: {b: 1}}')),
    /wrong node kind: expected SequenceNode but got MappingNode/u,
  );
  assert.throws(() => merged(other, spec('{a: {b: 1}}'), spec('{a: {$patch: x}}')), /unknown patch strategy 'x'/u);
});
