import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countMembers,
  describeSyntaxError,
  duplicateFields,
  readBase64,
  readTime,
  surveyJson,
} from '@fairlead/apimachinery';
import fc from 'fast-check';

const layout = '2006-01-02T15:04:05Z07:00';
const micro = '2006-01-02T15:04:05.000000Z07:00';

test('times are stored in UTC, with second or microsecond precision', () => {
  for (const [given, expected] of [
    ['2020-02-29T23:59:59Z', '2020-02-29T23:59:59Z'],
    ['2020-01-01T00:30:00+02:00', '2019-12-31T22:30:00Z'],
    ['2020-01-01T00:00:00.999999999-00:30', '2020-01-01T00:30:00Z'],
    ['2020-01-01T1:00:00Z', '2020-01-01T01:00:00Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', undefined],
  ] as const) {
    assert.deepEqual(readTime(given, 'time'), { text: expected }, given);
  }
  assert.deepEqual(readTime('2020-01-01T00:00:00.123456+01:00', 'micro-time'), { text: '2019-12-31T23:00:00.123456Z' });
});

test('an invalid time is rejected with the same message as in Go', () => {
  for (const [given, type, why] of [
    ['', 'time', ` as "${layout}": cannot parse "" as "2006"`],
    ['yesterday', 'time', ` as "${layout}": cannot parse "yesterday" as "2006"`],
    ['2020-01-01 00:00:00Z', 'time', ` as "${layout}": cannot parse " 00:00:00Z" as "T"`],
    ['2020-01-01T00:00:00', 'time', ` as "${layout}": cannot parse "" as "Z07:00"`],
    ['2026-01-01T00:00:00Z', 'micro-time', ` as "${micro}": cannot parse "Z" as ".000000"`],
    ['2020-13-01T00:00:00Z', 'time', ': month out of range'],
    ['2021-02-29T00:00:00Z', 'time', ': day out of range'],
    ['2020-01-01T24:00:00Z', 'time', ': hour out of range'],
    ['2020-01-01T00:00:00Zx', 'time', ': extra text: "x"'],
  ] as const) {
    assert.deepEqual(readTime(given, type), { problem: `parsing time ${JSON.stringify(given)}${why}` });
  }
});

test('base64 is decoded as in Go', () => {
  for (const text of ['', 'eA==', 'eHk=', 'eHl6', '/+8=']) assert.deepEqual(readBase64(text), { text });
  assert.deepEqual(readBase64('eH\nl6\r\n'), { text: 'eHl6' });
  for (const [text, at] of [
    ['not base64!', 3],
    ['eA', 0],
    ['eHl6eA', 4],
    ['eA=', 3],
    ['eA=x', 2],
    ['=', 0],
    ['eA==eA==', 4],
    ['_-8=', 0],
  ] as const) {
    assert.deepEqual(readBase64(text), { problem: `illegal base64 data at input byte ${at}` }, text);
  }
});

test('invalid JSON is rejected with the same message as in Go', () => {
  for (const [text, expected] of [
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['"abc', 'unexpected end of JSON input'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ] as const) {
    assert.equal(describeSyntaxError(text), expected, text);
  }
});

test('the fast scan of JSON counts the same values as the parser', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const survey = surveyJson(text);
      assert.equal(survey.members, countMembers(JSON.parse(text)));
      assert.deepEqual(duplicateFields(text, JSON.parse(text)), []);
    }),
    { numRuns: 300 },
  );
  assert.deepEqual(surveyJson('{"a.e:{[\\\\\\"":[1,-2,{"b":true}]}'), { members: 2, depth: 3, hasFractions: false });
  assert.ok(surveyJson('[1.5]').hasFractions && surveyJson('[1e5]').hasFractions);
});

test('duplicate keys are reported with their path, each once', () => {
  const text = '{"a":{"b":1,"b":2,"b":3},"c":[{"d":1},{"d":1,"\\u0064":2}],"e":1}';
  assert.deepEqual(duplicateFields(text, JSON.parse(text)), ['duplicate field "a.b"', 'duplicate field "c[1].d"']);
});
