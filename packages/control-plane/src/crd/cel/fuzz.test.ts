import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, structural } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { Budget, perCallLimit } from './budget.ts';
import { compile } from './compile.ts';
import { estimateCost } from './estimate.ts';
import { extentOf } from './extent.ts';
import { parse, SyntaxProblem, UnsupportedSyntax } from './parse.ts';
import { CompileProblem } from './problems.ts';
import { celValue, typeOfSchema } from './schema-values.ts';
import { Scope, type Step } from './scope.ts';
import { CelError, CostExceeded } from './values.ts';

const schema = structural({
  type: 'object',
  properties: {
    n: { type: 'integer' },
    x: { type: 'number' },
    s: { type: 'string' },
    l: { type: 'array', items: { type: 'integer' } },
    t: { type: 'array', items: { type: 'string' } },
    m: { type: 'object', additionalProperties: { type: 'string' } },
    e: { 'x-kubernetes-int-or-string': true },
    d: { type: 'string', format: 'duration' },
    w: { type: 'string', format: 'date-time' },
  },
});

const object: Json = {
  n: 3,
  x: 0.5,
  s: 'aXb.c/1Gi',
  l: [1, 2, 3],
  t: ['a', '', 'b'],
  m: { a: 'b' },
  e: 7,
  d: '1h',
  w: '2024-01-01T00:00:00Z',
};

const atoms = fc.constantFrom(
  ...'self self.n self.x self.s self.l self.t self.m self.e self.d self.w 1 -1 0 2u 1.5 "a" "" [] [1] {"a":1} true null v b"x"'.split(
    ' ',
  ),
);
const members =
  'size() startsWith("a") matches("a+") find("[a-z]") findAll(".") split(".") join("-") lowerAscii() replace("a","bb") substring(1) indexOf("a") charAt(0) sum() min() max() sort() reverse() distinct() flatten() isSorted() slice(0,1) all(v,v==v) exists(v,v!=v) exists_one(v,true) map(v,[v]) filter(v,true) transformList(i,v,i) transformMap(k,v,v) sortBy(v,v) getHours() getFullYear() hasValue() orValue(1) value() format([1,"a"]) n s[0] ?n first()'.split(
    ' ',
  );
const functions =
  'size string int uint double bool bytes dyn type duration timestamp quantity isQuantity url isURL ip isIP cidr isCIDR semver isSemver lists.range optional.of strings.quote has'.split(
    ' ',
  );
const operators = '+ - * / % == != < <= > >= && || in'.split(' ');

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atoms,
    fc.tuple(tie('expression'), fc.constantFrom(...members)).map(([left, member]) => `${left}.${member}`),
    fc.tuple(fc.constantFrom(...functions), tie('expression')).map(([name, arg]) => `${name}(${arg})`),
    fc
      .tuple(tie('expression'), fc.constantFrom(...operators), tie('expression'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a}[${b}]`),
  ),
}));

function compiled(source: string, type: 'typed' | 'loose'): Step | undefined {
  try {
    const self = typeOfSchema(schema, true)!;
    return compile(source, Scope.of(type === 'typed' ? { self } : { self: { kind: 'dyn' }, v: { kind: 'dyn' } }));
  } catch (error) {
    const expected =
      error instanceof CompileProblem || error instanceof SyntaxProblem || error instanceof UnsupportedSyntax;
    assert.ok(expected, `${source}: ${String(error)}`);
    return undefined;
  }
}

test('any expression is rejected, returns a value or fails with an evaluation error, in bounded time', () => {
  let ran = 0;
  const check = (source: string, type: 'typed' | 'loose') => {
    const step = compiled(source, type);
    if (!step) return;
    ran++;
    const start = process.cpuUsage();
    try {
      step.run({ slots: [celValue(object, schema, true), 1n], budget: new Budget(perCallLimit) });
    } catch (error) {
      // If types are not known, a JavaScript TypeError means a missing overload.
      const expected =
        error instanceof CelError || error instanceof CostExceeded || (type === 'loose' && error instanceof TypeError);
      assert.ok(expected, `${source}: ${error instanceof Error ? error.stack : error}`);
    }
    assert.ok(process.cpuUsage(start).user < 1_000_000, source);
    assert.ok(estimateCost(parse(source), { self: extentOf(schema) }) >= 0, source);
  };
  fc.assert(
    fc.property(expression, (source) => {
      check(source, 'typed');
      check(source, 'loose');
    }),
    { numRuns: 3_000, seed: 7 },
  );
  assert.ok(ran > 500, `only ${ran} ran`);
});

test('any text is parsed or rejected', () => {
  const pieces = fc.constantFrom(
    ...'self . ( ) [ ] { } , : ? ! - + * "a" \'b\' 1 1u 0x r"" b"" """ // \n \\ ` all has in && || == \u0000 é 😀 9999999999999999999999 1e999'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      compiled(parts.join(''), 'typed');
    }),
    { numRuns: 2_000, seed: 11 },
  );
});
