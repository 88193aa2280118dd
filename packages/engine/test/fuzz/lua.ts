/** A script has a result that is JSON, or fails with a `LuaError` or a `LuaLimit`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { LuaError, LuaLimit, loadLua } from '../../src/health/lua/run-lua.ts';

const seeds = [
  'hs = {}\nif obj.status ~= nil then\n  for i, c in ipairs(obj.status.conditions) do\n    if c.type == "Ready" and c.status == "True" then hs.status = "Healthy" end\n  end\nend\nreturn hs',
  'local t = {1, 2, x = "a", ["y"] = {}} table.sort(t, function(a, b) return a > b end) return string.format("%5.2f|%s|%q", t[1], #t, t.x)',
  'local function f(...) local n = select("#", ...) return n, ... end return pcall(f, 1, nil, 3)',
  'local s = ("key=value"):gsub("(%w+)=(%w+)", "%2=%1") for k in s:gmatch("%a+") do s = s .. k end return {s, s:find("l", 1, true), s:byte(1, -1)}',
  'local m = setmetatable({}, {__index = function(t, k) return k .. "!" end, __call = function(self, a) return a end}) return m.x, m(2), os.time({year=2024, month=1, day=2})',
];
const words =
  'local function end if then else elseif for in do while repeat until return break goto :: x y t obj . status conditions [ ] { } ( ) , ; = == ~= <= > + - * / % ^ .. # not and or nil true false 1 0.5 1e308 0x1F "a" \'%\' [[b]] [==[c]==] ... ipairs pairs next pcall error setmetatable __index __newindex __len string.rep string.gsub string.format string.find table.insert table.sort table.concat table.remove unpack select tostring tonumber os.time os.date math.huge math.floor math.max : upper -- \n \\z \\x41 \\065 "%d" "%[" "%b()" "[%w_]*"'.split(
    ' ',
  );
const object = { metadata: { name: 't' }, status: { conditions: [{ type: 'Ready', status: 'True' }], list: [1, 2] } };

export const target = fuzzTarget({
  inputs: fc.oneof(
    { arbitrary: mutated(seeds, words), weight: 3 },
    { arbitrary: wordsOf(words, 40), weight: 2 },
    { arbitrary: anyText, weight: 1 },
  ),
  check(source: string) {
    const limits = { steps: 20_000, memory: 4 * 1024 ** 2, timeMs: 2_000, clock: () => 0 };
    const result = unlessRefused([LuaError, LuaLimit], () => loadLua(source).run(object, limits));
    if (result !== undefined) assert.equal(typeof JSON.stringify(result), 'string');
  },
});
