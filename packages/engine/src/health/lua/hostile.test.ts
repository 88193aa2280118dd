/** Any script ends within its limits and has a result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import fc from 'fast-check';
import { inProcessLua } from '../../../test/support/in-process-lua.ts';
import { createCustomHealth } from '../custom-health.ts';
import { healthOrder } from '../health.ts';

const object = {
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 't' },
  status: { conditions: [{ type: 'Ready', status: 'True' }], list: [1, 2, 3] },
} as unknown as KubeObject;

const lua = inProcessLua({ steps: 20_000, memory: 4 * 1024 ** 2, timeMs: 500 });

const resultOf = async (source: string) => {
  const scripts = [{ kinds: 'example.org/Thing', source, openLibs: true, name: 'key' }];
  const found = await createCustomHealth(scripts, lua).assess(object);
  return found === null ? 'none' : found?.status;
};
const isResult = (status: string | undefined): boolean => status === 'none' || healthOrder.includes(status as never);

const words =
  'local function end if then else elseif for in do while repeat until return break goto :: x y t obj . status conditions [ ] { } ( ) , ; = == ~= < > + - * / % ^ .. # not and or nil true false 1 0.5 1e308 "a" \'%\' [[b]] ... ipairs pairs next pcall error setmetatable __index string.rep string.gsub string.format table.insert table.sort table.concat unpack select tostring tonumber os.time math.huge : upper -- \n'.split(
    ' ',
  );
const program = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' '));

test('any sequence of tokens gives a result', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (source) => {
      assert.ok(isResult(await resultOf(source)), source);
    }),
    { numRuns: 3_000 },
  );
});

test('any text gives a result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60, unit: 'binary' }), async (source) => {
      assert.ok(isResult(await resultOf(source)), source);
    }),
    { numRuns: 1_000 },
  );
});

const hostile = [
  'local t = {} while true do t[#t + 1] = t end',
  'local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) return t[1]',
  'local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a}) return a.x',
  'return setmetatable({}, {__tostring = function(t) return tostring(t) end}) .. "x"',
  'local t = {} for i = 1, 1e9 do t[i] = i end',
  'return string.rep("x", 1e9)',
  'return ("a"):rep(100):gsub(("a?"):rep(100) .. ("a"):rep(100), "")',
  'return table.concat(setmetatable({}, {__len = function() return 1e9 end}), ",", 1, 1e9)',
  'return unpack({}, 1, 1e9)',
  'local t = {} t.t = t return t',
  'local t = {} local r = t for i = 1, 15000 do t.x = {} t = t.x end return r',
  'table.sort({3, 2, 1}, function() return true end) return {status = "Healthy"}',
  'for i = 0, math.huge do end',
  'for i = 1, 0 / 0 do end for i = 1, 10, 0 do end',
  'local f f = function(...) return f(1, ...) end f()',
  'return string.format(("%s"):rep(100), unpack({}, 1, 100))',
  'return {status = string.char(255, 254), message = "\\255"}',
];
for (const source of hostile) {
  test(`ends: ${source.slice(0, 60)}`, async () => assert.ok(isResult(await resultOf(source))));
}
