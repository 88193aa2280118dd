import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatFloat } from './go-float.ts';
import { parseFloat64 } from './go-number.ts';
import { byteSliceType, stringSlice, uint8Type, uint64Type } from './go-type.ts';
import { GoInt, GoMap, GoSlice, type GoValue, int, int64, nilSlice } from './go-value.ts';
import { sprint, sprintf, sprintln } from './printf.ts';

const map = new GoMap([
  ['b', 1],
  ['a', 'x'],
]);
const bytes = new GoSlice(
  [104, 105].map((n) => new GoInt(BigInt(n), uint8Type)),
  byteSliceType,
);

const cases: [string, GoValue[], string][] = [
  ['%v %v %v %v', [1.5, int(2), 'x', true], '1.5 2 x true'],
  ['%v %d %s', [null, null, null], '<nil> %!d(<nil>) %!s(<nil>)'],
  ['%v %v', [map, [1, 'a', null]], 'map[a:x b:1] [1 a <nil>]'],
  ['%+v %#v', [map, map], 'map[a:x b:1] map[string]interface {}{"a":"x", "b":1}'],
  ['%#v %#v %#v', ['q', int(1), [1, null]], '"q" 1 []interface {}{1, interface {}(nil)}'],
  ['%#v %#v', [nilSlice(stringSlice), new GoInt(255n, uint64Type)], '[]string(nil) 0xff'],
  [
    '%T %T %T %T',
    [1, int64(1), map, new GoSlice(['a'], stringSlice)],
    'float64 int64 map[string]interface {} []string',
  ],
  [
    '%d|%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o|%O|%b',
    Array(13).fill(int(42)),
    '42|   42|42   |00042|+42| 42|2a|2A|0x2a|52|052|0o52|101010',
  ],
  ['%.5d|%8.3d|%.0d', [int(42), int(-7), int(0)], '00042|    -007|'],
  ['%c|%q|%U|%#U', Array(4).fill(int(0x1f600)), "😀|'😀'|U+1F600|U+1F600 '😀'"],
  [
    '%f|%.2f|%8.3f|%-8.1f|%+.1f|%08.2f',
    [1.5, 1.005, 3.1459, 2.25, 1, -3.1459],
    '1.500000|1.00|   3.146|2.2     |+1.0|-0003.15',
  ],
  [
    '%e|%.2E|%g|%G|%.3g|%#g',
    [123456.789, 0.00012, 1e21, 1e-7, 1234.5678, 1],
    '1.234568e+05|1.20E-04|1e+21|1E-07|1.23e+03|1.00000',
  ],
  ['%v %v %v', [1e6, 999999, 1e-5], '1e+06 999999 1e-05'],
  ['%v %v %v %5v', [Infinity, -Infinity, Number.NaN, Number.NaN], '+Inf -Inf NaN   NaN'],
  ['%x %X %b', [1.5, 1.5, 1], '0x1.8p+00 0X1.8P+00 4503599627370496p-52'],
  [
    '%s|%10s|%-10s|%.2s|%q|%x|% X|%#x',
    ['héy', 'ab', 'ab', 'héy', 'a"b', 'hi', 'hi', 'hi'],
    'héy|        ab|ab        |hé|"a\\"b"|6869|68 69|0x6869',
  ],
  ['%+q %#q %q', ['é', 'a`b', '\x00\n\u200b'], '"\\u00e9" "a`b" "\\x00\\n\\u200b"'],
  ['%t|%6t', [true, false], 'true| false'],
  ['%s %d %s %x', [[1, 'a'], [int(1), int(2)], map, bytes], '[%!s(float64=1) a] [1 2] map[a:x b:%!s(float64=1)] 6869'],
  ['%v %s %#v', [bytes, bytes, bytes], '[104 105] hi []byte{0x68, 0x69}'],
  ['%d %t %z', ['x', int(1), true], '%!d(string=x) %!t(int=1) %!z(bool=true)'],
  ['%d %d', [int(1)], '1 %!d(MISSING)'],
  ['%d', [int(1), 'x', null], '1%!(EXTRA string=x, <nil>)'],
  ['%', [], '%!(NOVERB)'],
  ['100%%', [], '100%'],
  ['%[2]d %[1]d', [int(1), int(2)], '2 1'],
  ['%[5]d', [int(1)], '%!d(BADINDEX)'],
  ['%*d|%-*d|%.*f', [int(5), int(1), int(3), int(2), int(1), 2.55], '    1|2  |2.5'],
  ['%*d', ['x', int(1)], '%!(BADWIDTH)1'],
  ['%6.2f%%|%x', [12.345, int(-255)], ' 12.35%|-ff'],
];

for (const [format, args, expected] of cases) {
  test(`printf ${JSON.stringify(format)} is ${JSON.stringify(expected)}`, () =>
    assert.equal(sprintf(format, args), expected));
}

test('print puts spaces between operands that are not strings, println between all', () => {
  assert.equal(sprint([int(1), int(2), 'a', 'b', 3, null]), '1 2a b3 <nil>'.replace('a b', 'ab'));
  assert.equal(sprintln(['a', int(1)]), 'a 1\n');
});

test('a float in its shortest form parses to the same value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.constantFrom('e', 'g', 'f'), (value, format) => {
      assert.ok(Object.is(parseFloat64(formatFloat(value, format)), value));
    }),
  );
});

test('fixed decimals agree with exact decimal arithmetic', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 15 }), (whole, decimals) => {
      const expected = whole === 0 ? 0 : whole;
      assert.equal(formatFloat(expected, 'f', decimals), expected.toFixed(decimals));
    }),
  );
});
