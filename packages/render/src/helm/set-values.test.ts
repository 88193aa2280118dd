import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goJson } from '../go-json/index.ts';
import { type GoInt, GoMap } from '../go-template/go-value.ts';
import { fromPlain, toPlain } from '../sprig/plain.ts';
import { type SetKind, setValues } from './set-values.ts';

function set(expression: string, kind: SetKind = 'set', start: unknown = {}): string {
  const values = fromPlain(start) as GoMap;
  setValues(values, expression, kind, (path) => `content of ${path}`);
  return goJson(toPlain(values));
}

const cases: [string, SetKind, unknown, string][] = [
  ['a=1', 'set', {}, '{"a":1}'],
  ['a=1,b=x', 'set', {}, '{"a":1,"b":"x"}'],
  ['a.b.c=true', 'set', { a: { b: { d: 1 } } }, '{"a":{"b":{"c":true,"d":1}}}'],
  ['a={x,y,1}', 'set', {}, '{"a":["x","y",1]}'],
  ['a={}', 'set', {}, '{"a":[""]}'],
  ['a[0]=x,a[2].b=y', 'set', {}, '{"a":["x",null,{"b":"y"}]}'],
  ['a[0][1]=x', 'set', {}, '{"a":[[null,"x"]]}'],
  ['c=1,a.b[=x', 'set', {}, '{"c":1}'],
  ['a[1]=z', 'set', { a: ['x', 'y'] }, '{"a":["x","z"]}'],
  ['a=null,b=0,c=007,d=1.5,e=-3,f=TRUE', 'set', {}, '{"a":null,"b":0,"c":"007","d":"1.5","e":-3,"f":true}'],
  ['a=', 'set', {}, '{"a":""}'],
  ['a=x\\,y,b\\.c=d', 'set', {}, '{"a":"x,y","b.c":"d"}'],
  ['a=1,b=true', 'set-string', {}, '{"a":"1","b":"true"}'],
  ['a={"b":[1,null]},c="x"', 'set-json', {}, '{"a":{"b":[1,null]},"c":"x"}'],
  ['a=,b=1', 'set-json', {}, '{"a":null,"b":1}'],
  ['a=file.txt', 'set-file', {}, '{"a":"content of file.txt"}'],
  ['a=x,y={z}\\', 'set-literal', {}, '{"a":"x,y={z}\\\\"}'],
];

for (const [expression, kind, start, expected] of cases) {
  test(`--${kind} ${expression}`, () => assert.equal(set(expression, kind, start), expected));
}

test('only integers of --set are int64', () => {
  const values = new GoMap();
  setValues(values, 'a=5', 'set');
  assert.equal((values.get('a') as GoInt).type.name, 'int64');
});

for (const [expression, message] of [
  ['a', 'key "a" has no value'],
  ['a,b=1', 'cannot end with ,'],
  ['a={x', "list must terminate with '}'"],
  ['a[-1]=x', 'negative -1 index not allowed'],
  ['a[x]=1', 'error parsing index'],
  ['a[70000]=1', 'greater than maximum supported index of 65536'],
  [`${'a.'.repeat(40)}b=1`, 'maximum supported nested level of 30'],
  ['a=1,a.b=2', 'a is not a map'],
] as const) {
  test(`--set ${expression.slice(0, 20)} is an error`, () => {
    assert.throws(
      () => set(expression),
      (error: Error) => error.message.includes(message),
    );
  });
}
