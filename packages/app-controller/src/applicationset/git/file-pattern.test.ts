import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileMatcher } from './file-pattern.ts';

const files = ['config.json', 'envs/dev/config.json', 'envs/qa/eu/config.json', 'envs/dev/notes.txt', 'a{b}.json'];
const selected = (pattern: string, newGlobbing = false): string[] => files.filter(fileMatcher(pattern, newGlobbing));

test('a pattern is a path of git: a star crosses slashes, a directory means all that is below it', () => {
  assert.deepEqual(selected('envs/*/config.json'), ['envs/dev/config.json', 'envs/qa/eu/config.json']);
  assert.deepEqual(selected('envs/dev'), ['envs/dev/config.json', 'envs/dev/notes.txt']);
  assert.deepEqual(selected('./envs/dev/'), ['envs/dev/config.json', 'envs/dev/notes.txt']);
  assert.deepEqual(selected('*.json').length, 4);
  assert.deepEqual(selected('a{b}*'), ['a{b}.json']);
});

test('with the new globbing, two stars are for any number of directories, and one for none', () => {
  assert.deepEqual(selected('envs/*/config.json', true), ['envs/dev/config.json']);
  assert.deepEqual(selected('**/config.json', true), ['config.json', 'envs/dev/config.json', 'envs/qa/eu/config.json']);
  assert.deepEqual(selected('envs/**/config.json', true), ['envs/dev/config.json', 'envs/qa/eu/config.json']);
  assert.deepEqual(selected('envs/{dev,prod}/*', true), ['envs/dev/config.json', 'envs/dev/notes.txt']);
});
