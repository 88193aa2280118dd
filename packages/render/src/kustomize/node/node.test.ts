import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, setField, setScalar } from './fields.ts';
import { lookup, lookupCreate } from './lookup.ts';
import { scalar } from './node.ts';
import { floatNode, nodeValue } from './node-value.ts';
import { splitBracketedPath, splitPath } from './path.ts';
import { matchPath } from './path-matcher.ts';
import { readNode, readNodes } from './read-nodes.ts';

const node = (text: string) => readNode(text)!;

test('scalars have the types of YAML 1.2, and times become text', () => {
  const table: [text: string, value: unknown][] = [
    ['yes', 'yes'],
    ['true', true],
    ['010', 8],
    ['1.0', 1],
    ['~', null],
    ['2020-01-01', '2020-01-01T00:00:00Z'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14T21:59:43.1-05:00'],
    ['!!str 1', '1'],
    ['12345678901234567890', 12345678901234567890n],
  ];
  for (const [text, value] of table) assert.deepEqual(nodeValue(node(`- ${text}\n`)), [value], text);
});

test('an empty value in braces becomes text, an empty value in a block stays null', () => {
  assert.deepEqual(nodeValue(node('{a: , b: }')), { a: '', b: '' });
  assert.deepEqual(nodeValue(node('a:\nb:\n')), { a: null, b: null });
});

test('a created scalar gets the style, and so the type, of the scalar that it replaces', () => {
  const map = node('a: x\nb: "x"\n');
  setField(map, 'a', scalar('1'));
  setField(map, 'b', scalar('1'));
  setField(map, 'c', scalar('1'));
  assert.deepEqual(nodeValue(map), { a: 1, b: '1', c: '1' });
  setScalar(field(map, 'c')!, scalar('true'));
  assert.deepEqual(field(map, 'c')!.style, 'double');
});

test('aliases and merge keys are resolved; own fields have precedence, then earlier maps', () => {
  const value = nodeValue(
    node('x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\nz: {<<: [*x, *y], a: 0}\nq: {"<<": 1, r: 1}\n'),
  );
  assert.deepEqual(value, { x: { a: 1, b: 1 }, y: { b: 2, c: 2 }, z: { a: 0, b: 1, c: 2 }, q: { r: 1 } });
});

test('keys must be text and unique', () => {
  assert.throws(() => nodeValue(node('{a: {1: x}}')), /the key 1 is not a string/u);
  assert.throws(() => nodeValue(node('a: 1\na: 2\n')), /mapping key "a" already defined/u);
});

test('documents are split at their separators', () => {
  assert.equal(readNodes('a: 1\n--- # two\nb: 2\n---\n\n---\nc: 3').length, 3);
  assert.equal(readNodes('kind: List\nitems: [{a: 1}, {b: 2}]').length, 2);
  assert.throws(() => readNodes('a: 1\n--- b\nc: 2\n'), /invalid document separator/u);
});

test('documents whose aliases expand too far, or to themselves, are an error', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
  for (const [key, previous] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf'])
    lines.push(`${key}: &${key} [${Array(10).fill(`*${previous}`).join(', ')}]`);
  assert.throws(() => readNode(lines.join('\n')), /excessive aliasing/u);
  assert.throws(() => readNode('a: &a [*a]'), /contains itself/u);
  assert.throws(() => readNode('a: &a {<<: *a}'), /contains itself/u);
});

test('numbers that are converted through JSON are floats', () => {
  assert.equal(floatNode(1000000).value, '1e+06');
  assert.deepEqual(nodeValue(floatNode({ a: [1000000, 1.5, '1'] })), { a: [1000000, 1.5, '1'] });
});

test('paths', () => {
  assert.deepEqual(splitPath('/a/b\\/c/d', '/'), ['a', 'b/c', 'd']);
  assert.deepEqual(splitBracketedPath('a.[name=b.c].d', '.'), ['a', '[name=b.c]', 'd']);
  assert.deepEqual(splitBracketedPath('a.[b.c/d].e', '.'), ['a', 'b.c/d', 'e']);
});

test('lookup and lookupCreate', () => {
  const map = node('l: [{name: a, v: 1}, {name: b, v: 2}]\n');
  assert.equal(lookup(map, ['l', '1', 'v'])!.value, '2');
  assert.equal(lookup(map, ['l', '-', 'v'])!.value, '2');
  assert.equal(lookup(map, ['l', '[name=a]', 'v'])!.value, '1');
  assert.equal(lookup(map, ['l', '7']), undefined);
  lookupCreate(map, ['l', '[name=c]', 'm', 'n'], 'map');
  assert.deepEqual(nodeValue(lookup(map, ['l', '2'])!), { name: 'c', m: { n: {} } });
  assert.throws(() => lookup(map, ['l', 'x']), /wrong node kind/u);
});

test('a path can match several nodes', () => {
  const map = node('l: [{name: a1, v: 1}, {name: a2, v: 2}, {name: b, v: 3}]\nj: \'{"x": [5]}\'\n');
  const values = (path: string[]): string[] => matchPath(map, path).map(({ value }) => value);
  assert.deepEqual(values(['l', '*', 'v']), ['1', '2', '3']);
  assert.deepEqual(values(['l', '[name=a.]', 'v']), ['1', '2']);
  assert.deepEqual(values(['l', '[name=b]', 'v']), ['3']);
  assert.deepEqual(values(['j', 'x', '0']), ['5']);
  assert.deepEqual(values(['none', 'x']), []);
  assert.throws(() => values(['l', '9']), /index 9 specified but only 3 elements found/u);
  matchPath(map, ['l', '[name=new]', 'v'], 'scalar')[0]!.value = '9';
  assert.deepEqual(values(['l', '*', 'v']), ['1', '2', '3', '9']);
});
