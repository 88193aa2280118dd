import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFloat } from './format-float.ts';
import { goJson, goPrettyJson, goRawJson } from './go-json.ts';

test('keys are sorted by their bytes and HTML is escaped', () => {
  const value = { 'a&b': '<', é: 1, Z: '\u2028', '😀': 1, '\uffff': 1 };
  assert.equal(goJson(value), '{"Z":"\\u2028","a\\u0026b":"\\u003c","é":1,"\uffff":1,"😀":1}');
  assert.equal(goRawJson({ 'a&b': '<>' }), '{"a&b":"<>"}');
});

test('control characters and lone surrogates are escaped', () => {
  assert.equal(goJson('a\n\t\b\f\r\x01\x7f"\\'), '"a\\n\\t\\b\\f\\r\\u0001\x7f\\"\\\\"');
  assert.equal(goJson('\ud800x'), '"\\ufffdx"');
});

test('numbers are formatted', () => {
  const table: [number | bigint, string][] = [
    [1e6, '1000000'],
    [1e20, '100000000000000000000'],
    [1e21, '1e+21'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
    [1.5, '1.5'],
    [-0, '-0'],
    [12345678901234567890n, '12345678901234567890'],
  ];
  for (const [value, text] of table) assert.equal(goJson(value), text);
  assert.throws(() => goJson([Number.POSITIVE_INFINITY]), { message: 'json: unsupported value: +Inf' });
});

test('JSON is indented', () => {
  assert.equal(goPrettyJson({ b: [1, {}], a: [] }), '{\n  "a": [],\n  "b": [\n    1,\n    {}\n  ]\n}');
});

test('floats are in their shortest form, with exponents outside of 1e-4 to 1e6', () => {
  const table: [number, string, string][] = [
    [1, '1', '1'],
    [1e6, '1e+06', '1e+06'],
    [999999, '999999', '999999'],
    [1234567, '1.234567e+06', '1.234567e+06'],
    [123456.789, '123456.789', '123456.79'],
    [0.0001, '0.0001', '0.0001'],
    [0.00001, '1e-05', '1e-05'],
    [0.1, '0.1', '0.1'],
    [-1.5, '-1.5', '-1.5'],
    [1e100, '1e+100', '+Inf'],
    [Number.NaN, 'NaN', 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Inf', '-Inf'],
    [-0, '-0', '-0'],
    [16777217, '1.6777217e+07', '1.6777216e+07'],
  ];
  for (const [value, as64, as32] of table) {
    assert.equal(formatFloat(value), as64);
    assert.equal(formatFloat(value, 32), as32);
  }
});
