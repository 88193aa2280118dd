import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineCommand } from './command.ts';
import { parseCommand } from './parse.ts';

const spec = defineCommand({
  name: 'app try',
  args: 'NAME…',
  count: [1, 2],
  summary: '',
  about: '',
  flags: {
    prune: { type: 'boolean', help: '' },
    namespace: { type: 'string', short: 'n', aliases: ['app-namespace'], help: '' },
    set: { type: 'list', help: '' },
    output: { type: 'string', short: 'o', choices: ['json', 'yaml'], help: '' },
  },
  examples: [],
});
const parse = (line: string) => parseCommand(spec, line.split(' ').filter(Boolean));
const refusal = (line: string): string => {
  try {
    parse(line);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('flags in every spelling that people bring along', () => {
  assert.deepEqual(parse('a --prune -n x --set a=1 --set b=2 -ojson'), {
    flags: { prune: true, namespace: 'x', set: ['a=1', 'b=2'], output: 'json' },
    args: ['a'],
  });
  assert.deepEqual(parse('--prune=false a --app-namespace=y b'), {
    flags: { prune: false, namespace: 'y' },
    args: ['a', 'b'],
  });
  assert.deepEqual(parse('a --no-prune').flags, { prune: false });
  assert.deepEqual(parse('a --prune=true').flags, { prune: true });
  assert.deepEqual(parse('-- --a').args, ['--a']);
});

test('what is wrong is told with what is right', () => {
  assert.equal(refusal('a --prun'), 'there is no flag --prun, perhaps --prune is meant: see fairlead help app try');
  assert.equal(refusal('a --nothing-like-it'), 'there is no flag --nothing-like-it: see fairlead help app try');
  assert.equal(refusal('a --namespace'), '--namespace needs a value: see fairlead help app try');
  assert.equal(refusal('a --prune=x'), '--prune takes no value: see fairlead help app try');
  assert.equal(refusal('a -o xml'), '--output xml is not known: json, yaml');
  assert.equal(refusal(''), 'something is missing, it is fairlead app try NAME…: see fairlead help app try');
  assert.equal(refusal('a b c'), 'c is too much, it is fairlead app try NAME…: see fairlead help app try');
});
