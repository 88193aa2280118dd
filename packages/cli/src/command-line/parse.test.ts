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
    'no-wait': { type: 'boolean', help: '' },
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

test('a flag whose name begins with no- is true when it is given', () => {
  assert.deepEqual(parse('web --no-wait').flags, { 'no-wait': true });
  assert.deepEqual(parse('web --no-prune').flags, { prune: false });
});

test('accepts flags in every spelling', () => {
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

test('errors name the problem and the usage', () => {
  assert.equal(refusal('a --prun'), 'unknown flag --prun (did you mean --prune?): see fairlead help app try');
  assert.equal(refusal('a --nothing-like-it'), 'unknown flag --nothing-like-it: see fairlead help app try');
  assert.equal(refusal('a --namespace'), '--namespace needs a value: see fairlead help app try');
  assert.equal(refusal('a --prune=x'), '--prune takes no value: see fairlead help app try');
  assert.equal(refusal('a -o xml'), 'invalid --output xml: use one of json, yaml');
  assert.equal(refusal(''), 'missing argument, usage: fairlead app try NAME…; see fairlead help app try');
  assert.equal(refusal('a b c'), 'unexpected argument c, usage: fairlead app try NAME…; see fairlead help app try');
});
