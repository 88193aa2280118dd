import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readYaml } from './yaml-document.ts';

const readValue = (text: string): unknown => {
  const read = readYaml(text);
  return 'problem' in read ? read.problem : read.value;
};

test('text that Go does not parse as a number is text', () => {
  for (const text of ['.', '._', '._5', 'e5', 'E12345', '.e5', '+.', '0x', '0b_', '0x_', '1e400', '-1e400'])
    assert.equal(readValue(`${text}\n`), text, text);
  assert.deepEqual(readValue('.: e12\n'), { '.': 'e12' });
});

test('numbers of YAML 1.1 are numbers', () => {
  for (const [text, expected] of [
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1.', 1],
    ['1_000', 1000],
    ['1e3', 1000],
    ['1.5E-3', 0.0015],
    ['0x1F', 31],
    ['0b11', 3],
    ['017', 15],
    ['0_', 0],
  ] as const)
    assert.equal(readValue(`${text}\n`), expected, text);
});
