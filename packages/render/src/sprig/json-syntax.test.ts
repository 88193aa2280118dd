import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJson } from './json.ts';
import { jsonSyntaxError } from './json-syntax.ts';

const messages: [string, string][] = [
  ['', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['"a', 'unexpected end of JSON input'],
  ['nope', "invalid character 'o' in literal null (expecting 'u')"],
  ['x', "invalid character 'x' looking for beginning of value"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['1 2', "invalid character '2' after top-level value"],
  ['01', "invalid character '1' after top-level value"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['"\\q"', "invalid character 'q' in string escape code"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
  ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
  ['[1e400]', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
];

for (const [text, message] of messages) {
  test(`${JSON.stringify(text)}: ${message}`, () => assert.throws(() => readJson(text), { message }));
}

test('a text has a syntax error exactly if JSON.parse rejects it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', 'a', '1', '-', '.', 'e', 'true', 'null', ' ', '\\')),
      (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const found = jsonSyntaxError(text).message !== 'invalid character after top-level value';
        assert.equal(found, !valid, text);
      },
    ),
  );
});
