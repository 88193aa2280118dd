import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, structural } from '@fairlead/apimachinery';
import { Budget, perCallLimit } from './budget.ts';
import { compile } from './compile.ts';
import { SyntaxProblem, UnsupportedSyntax } from './parse.ts';
import { CompileProblem } from './problems.ts';
import { celValue, typeOfSchema } from './schema-values.ts';
import { Scope } from './scope.ts';
import { CelError, CostExceeded, type Value } from './values.ts';

const schema = structural({
  type: 'object',
  properties: {
    n: { type: 'integer' },
    x: { type: 'number' },
    s: { type: 'string' },
    b: { type: 'boolean' },
    list: { type: 'array', items: { type: 'integer' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer' } } },
    },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    either: { 'x-kubernetes-int-or-string': true },
    when: { type: 'string', format: 'date-time' },
    how: { type: 'string', format: 'duration' },
    bin: { type: 'string', format: 'byte' },
    'a-b': { type: 'string' },
    namespace: { type: 'string' },
    o: { type: 'object', properties: { p: { type: 'string', nullable: true } } },
    hidden: { 'x-kubernetes-preserve-unknown-fields': true },
  },
});

const object: Json = {
  n: 5,
  x: 1.5,
  s: 'Grüße 1-22',
  b: true,
  list: [3, 1, 2],
  set: ['a', 'b'],
  items: [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ],
  map: { k: 'v', l: 'w' },
  either: '50%',
  when: '2024-02-29T12:30:45.5Z',
  how: '1h30m',
  bin: 'aGk=',
  'a-b': 'dashed',
  namespace: 'reserved',
  o: { p: null },
};

const scope = () => Scope.of({ self: typeOfSchema(schema, true)! });

function evaluate(source: string, limit = perCallLimit): Value {
  const step = compile(source, scope());
  return step.run({ slots: [celValue(object, schema, true)], budget: new Budget(limit) });
}

test('expressions that evaluate to true', () => {
  const holding = [
    'self.n == 5 && self.x > 1.0 && self.n > self.x && !false',
    '1 + 2 * 3 == 7 && 7 / 2 == 3 && -7 / 2 == -3 && 7 % 3 == 1 && 2.5 + 0.5 == 3.0 && 1u + 2u == 3u',
    '-9223372036854775808 < 0 && 0x10 == 16',
    'self.b ? self.n == 5 : false',
    'has(self.s) && !has(self.map.z)',
    'size(self.s) == 10 && self.s.size() == 10 && self.list.size() == 3 && size(self.map) == 2',
    'self.s.startsWith("Gr") && self.s.endsWith("22") && self.s.contains("üß") && self.s.matches("^G.*[0-9]+$")',
    'self.s.find("[0-9]+") == "1" && self.s.findAll("[0-9]+") == ["1", "22"] && self.s.findAll("[0-9]", 1) == ["1"]',
    '"a,b,c".split(",") == ["a", "b", "c"] && "a,b,c".split(",", 2) == ["a", "b,c"] && ["x", "y"].join("-") == "x-y"',
    '"Hello".lowerAscii() == "hello" && "Ü".lowerAscii() == "Ü" && "abc".upperAscii() == "ABC" && " x ".trim() == "x"',
    '"abcabc".indexOf("c") == 2 && "abcabc".lastIndexOf("a") == 3 && "abc".charAt(1) == "b" && "abc".substring(1, 2) == "b"',
    '"aaa".replace("a", "b") == "bbb" && "aaa".replace("a", "b", 2) == "bba"',
    '"%s is %d of %.2f %x".format(["one", 2, 3.14159, 255]) == "one is 2 of 3.14 ff"',
    'self.list.all(v, v > 0) && self.list.exists(v, v == 2) && self.list.exists_one(v, v == 3) && !self.list.exists(v, v == 9)',
    'self.list.map(v, v * 2) == [6, 2, 4] && self.list.filter(v, v > 1) == [3, 2] && self.list.map(v, v > 1, v) == [3, 2]',
    'self.list.all(i, v, i < 3) && self.list.transformList(i, v, i + v) == [3, 2, 4]',
    'self.map.all(k, v, k != v) && self.map.transformMap(k, v, v + v) == {"k": "vv", "l": "ww"}',
    '{"a": 1}.transformMapEntry(k, v, {k + k: v}) == {"aa": 1}',
    'self.map.exists(k, k == "k") && "k" in self.map && !("z" in self.map) && 2 in self.list && self.map["k"] == "v" && self.map.k == "v"',
    'self.list.sum() == 6 && self.list.min() == 1 && self.list.max() == 3 && !self.list.isSorted() && self.list.indexOf(2) == 2',
    'self.list.sort() == [1, 2, 3] && self.list.reverse() == [2, 1, 3] && [1, 1].distinct() == [1] && [[1], [2]].flatten() == [1, 2]',
    'self.items.sortBy(i, -i.port)[0].name == "https" && lists.range(3) == [0, 1, 2] && [1, 2, 3].slice(1, 3) == [2, 3]',
    'self.set == ["b", "a"] && self.set + ["a", "c"] == ["a", "b", "c"] && self.list != [1, 2, 3]',
    'sets.contains([1, 2], [1]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 2, 1], [2, 1])',
    'type(self.either) == string && self.either.matches("%$") && type(1) == int && type(self.list) == list',
    'self.when.getFullYear() == 2024 && self.when.getMonth() == 1 && self.when.getDate() == 29 && self.when.getHours() == 12',
    'self.when.getHours("America/New_York") == 7 && self.when.getHours("+02:00") == 14 && self.when.getMilliseconds() == 500',
    'self.when < timestamp("2025-01-01T00:00:00Z") && self.when - timestamp("2024-02-29T12:00:00Z") == duration("30m45.5s")',
    'self.how == duration("90m") && self.how.getMinutes() == 90 && string(self.how) == "1h30m0s" && self.how <= duration("2h")',
    'self.bin == b"hi" && string(self.bin) == "hi"',
    'self.a__dash__b == "dashed" && self.__namespace__ == "reserved" && self.metadata.name == "w" || true',
    'self.o.p == null && has(self.o.p)',
    'self.?s.orValue("none").startsWith("G") && self.o.?p.hasValue() && !self.map[?"zz"].hasValue() && self.list[?1].value() == 1',
    'optional.of(1).optMap(v, v + 1) == optional.of(2) && optional.none().orValue(7) == 7 && self.?map.k.orValue("") == "v"',
    'int("7") == 7 && string(7) == "7" && double("1.5") == 1.5 && bool("true") && int(2.9) == 2 && string(1.0) == "1" && uint(3) == 3u',
    'isQuantity("500Mi") && !isQuantity("x") && quantity("1Gi").isGreaterThan(quantity("500Mi")) && quantity("1k").asInteger() == 1000',
    'quantity("50k").add(20) == quantity("50020") && quantity("1.5").sub(quantity("1")).asApproximateFloat() == 0.5 && quantity("2").compareTo(quantity("2000m")) == 0',
    'isURL("https://u@h:8/p?q=1&q=2") && url("https://u@h:8/p?q=1&q=2").getPort() == "8" && url("/a b").getEscapedPath() == "/a%20b"',
    'url("https://h/p?q=1&q=2").getQuery() == {"q": ["1", "2"]} && url("https://[::1]:80/").getHostname() == "::1" && !isURL("x y")',
    'isIP("::1") && ip("127.0.0.1").isLoopback() && ip("10.0.0.1").family() == 4 && !ip.isCanonical("2001:DB8::1") && !isIP("01.2.3.4")',
    'cidr("10.0.0.0/8").containsIP("10.1.2.3") && cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16")) && cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8")',
    'cidr("10.0.0.0/8").prefixLength() == 8 && string(cidr("::1/128").ip()) == "::1" && !isCIDR("10.0.0.0/99")',
    'semver("1.2.3").isLessThan(semver("1.10.0")) && isSemver("1.0.0-rc.1") && !isSemver("v1.0") && isSemver("v1.0", true) && semver("1.2.3").minor() == 2',
    'semver("1.0.0-alpha.2").compareTo(semver("1.0.0-alpha.10")) == -1',
    '!format.dns1123Label().validate("ok").hasValue() && format.named("uuid").hasValue() && format.dns1035Label().validate("1x").value().size() == 1',
    'false && 1 / 0 == 1 || true || self.list[9] == 1',
    '(1 / 0 == 1) || true',
    'self.list.exists(v, 6 / (v - 1) == 3)',
    'self == self && {"a": [1]} == {"a": [1]} && 1 == 1 && dyn(1) == 1.0 && 2u < 3.5',
    'strings.quote("a\\"b") == "\\"a\\\\\\"b\\""',
  ];
  for (const source of holding) assert.equal(evaluate(source), true, source);
});

test('expressions that fail at runtime', () => {
  const failing: [source: string, message: RegExp][] = [
    ['self.list[3] == 1', /^index out of bounds: 3$/],
    ['self.map["z"] == "v"', /^no such key: z$/],
    ['self.map.z == "v"', /^no such key: z$/],
    ['1 / 0 == 1', /^division by zero$/],
    ['9223372036854775807 + 1 > 0', /^integer overflow$/],
    ['self.either < 5', /^no such overload/],
    ['quantity("x").isInteger()', /quantities must match/],
    ['[1].filter(v, v > 1).min() == 1', /empty list/],
    ['self.list.all(v, 4 / (v - 1) > 0)', /^division by zero$/],
    ['optional.none().value() == 1', /dereference/],
    ['uint(-1) == 1u', /overflow/],
  ];
  for (const [source, message] of failing)
    assert.throws(
      () => evaluate(source),
      (error: unknown) => error instanceof CelError && message.test(error.message),
      source,
    );
});

test('expressions that do not compile', () => {
  const wrong: [source: string, message: RegExp][] = [
    ['self.nope == 1', /^undefined field 'nope'$/],
    ['self.s.nope == 1', /^type 'string' does not support field selection$/],
    ['self.hidden == 1', /^undefined field 'hidden'$/],
    ['nope == 1', /^undeclared reference to 'nope'/],
    ['self.n == "5"', /^found no matching overload for '_==_' applied to '\(int, string\)'$/],
    ['self.n == 1.0', /no matching overload/],
    ['self.n + "5" == ""', /'\(int, string\)'/],
    ['self.s.startsWith(1)', /'string\.\(int\)'/],
    ['self.nope()', /^undeclared reference to 'nope'/],
    ['self.n && true', /_&&_/],
    ['self.n.all(v, true)', /cannot be range of a comprehension/],
    ['self.o.all(v, true)', /cannot be range/],
    ['self.list.all(v, v)', /expected type 'bool'/],
    ['self.list.map(1, 2)', /./],
    ['[1, "a"] == []', /expected type 'int' but found 'string'/],
    ['has(self)', /has\(\)/],
    ['has(self.nope)', /undefined field/],
    ['self.s.matches("(")', /invalid matches argument/],
    ['duration("x") > duration("1s")', /invalid duration/],
    ['true ? 1 : "a"', /_\?_:_/],
    ['cel.bind(v, 1, v == 1)', /undeclared reference/],
    ['authorizer.path("/").check("get").allowed()', /undeclared reference/],
  ];
  for (const [source, message] of wrong)
    assert.throws(
      () => compile(source, scope()),
      (error: unknown) =>
        (error instanceof CompileProblem || error instanceof SyntaxProblem) && message.test(error.message),
      source,
    );
  for (const source of ['self +', '', '(', 'a b', 'self..n', '"', 'self.list[', '1 = 1'])
    assert.throws(() => compile(source, scope()), SyntaxProblem, source);
  for (const source of ['[?self.?s] == []', '{?"a": self.?s} == {}', 'self.`a-b` == ""'])
    assert.throws(() => compile(source, scope()), UnsupportedSyntax, source);
});

test('the cost of any rule is bounded', () => {
  const costly = [
    'lists.range(10000000).all(v, true)',
    'lists.range(2000).all(a, lists.range(2000).all(b, a != b - 5000))',
    'lists.range(100000).sort()[0] == 0',
    'lists.range(3000).map(v, "xxxxxxxxxxxxxxxxxxxx").join("").replace("x", lists.range(3000).map(v, "yyyyyyyyyyyyy").join("")) == ""',
    '["a", "a"].map(v, lists.range(100000).map(w, "abcdefghij").join("")).all(v, v.matches("(a|b|c|d|e|f|g|h|i|j)*(a|b|c|d|e|f)*$"))',
  ];
  for (const source of costly) {
    const start = process.cpuUsage();
    assert.throws(
      () => evaluate(source),
      (error: unknown) => error instanceof CostExceeded || error instanceof CelError,
      source,
    );
    assert.ok(process.cpuUsage(start).user < 2_000_000, source);
  }
});
