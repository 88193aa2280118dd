import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LuaSyntaxError, loadLua } from './run-lua.ts';

const run = (source: string, object: Parameters<ReturnType<typeof loadLua>['run']>[0] = {}) =>
  loadLua(source).run(object, { clock: () => Date.UTC(2030, 0, 2, 3, 4, 5) });

const cases: [expression: string, value: unknown][] = [
  // Numbers are floats, and integers are printed without a decimal point.
  ['10 / 2 .. ""', '5'],
  ['1 / 3 .. ""', '0.3333333333333333'],
  ['2 ^ 10', 1024],
  ['-2 ^ 2', -4],
  ['-5 % 3', 1],
  ['7 % -3', -2],
  ['0x1F + .5', 31.5],
  ['1e3', 1000],
  ['"10" + 5', 15],
  ['1 .. 2', '12'],
  ['"a" .. "b" .. "c" == "abc"', true],
  ['not nil == true', true],
  ['1 < 2 and 2 <= 2 and "a" < "b"', true],
  ['nil and 1 or 2', 2],
  ['false or nil', undefined],
  ['#"abc"', 3],
  ['#"ü"', 2],
  ['#{1, 2, nil}', 2],
  ['#{1, 2, [5] = 3, x = 4}', 2],
  ['(function(...) return select("#", ...) end)(1, nil, nil)', 3],
  ['select(-1, 1, 2, 3)', 3],
  ['(select(2, "a", "b", "c"))', 'b'],
  ['type(nil) .. type({}) .. type(type)', 'niltablefunction'],
  ['tostring(nil) .. tostring(true) .. tostring(1.5)', 'niltrue1.5'],
  ['tonumber("0x10") + tonumber("z", 36) + tonumber("  7 ")', 58],
  ['tonumber("abc")', undefined],
  ['unpack({1, 2, 3}, 2)', 2],
  [
    'string.format("%d|%5.2f|%-4s|%04d|%x|%q|%s|%g|%%", 3, 2.5, "a", 7, 255, \'a"b\', {} ~= nil, 0.1)',
    '3| 2.50|a   |0007|ff|"a\\"b"|true|0.1|%',
  ],
  ['("x"):rep(3):upper()', 'XXX'],
  ['string.sub("hello", 2, -2)', 'ell'],
  ['string.sub("hello", -3)', 'llo'],
  ['string.byte("A") .. string.char(66)', '65B'],
  ['string.find("hello world", "o w")', 5],
  ['select(2, string.find("hello", "l+"))', 4],
  ['string.find("a.b", ".", 1, true)', 2],
  ['string.match("key = value", "^(%w+)%s*=%s*(%w+)$")', 'key'],
  ['select(2, string.match("key = value", "^(%w+)%s*=%s*(%w+)$"))', 'value'],
  ['string.match("2030-01-02", "%d+-(%d+)")', '01'],
  ['string.match("[[x]]", "%b[]")', '[[x]]'],
  ['string.match("abcabc", "(a)bc%1")', 'a'],
  ['string.match("aXb", "%u()")', 3],
  ['string.match("a-b", "[%w-]+")', 'a-b'],
  ['string.match("x]y", "[]]")', ']'],
  ['string.match("abc", "a.-c")', 'abc'],
  ['string.match("color", "colou?r")', 'color'],
  ['(string.gsub("hello", "l", "L"))', 'heLLo'],
  ['select(2, string.gsub("hello", "l", "L", 1))', 1],
  ['(string.gsub("a=1", "(%w)=(%w)", "%2=%1"))', '1=a'],
  ['(string.gsub("abc", "%w", {a = "1", b = true and "2"}))', '12c'],
  ['(string.gsub("abc", "", "-"))', '-a-b-c-'],
  ['(string.gsub("ab", ".", function(c) return c:upper() end))', 'AB'],
  ['string.reverse("abc") .. string.len("abc") .. string.lower("ABC")', 'cba3abc'],
  ['table.concat({1, "b", 3}, ", ")', '1, b, 3'],
  ['math.floor(-1.5) + math.ceil(1.2) + math.max(1, 5, 3) + math.min(2, 1)', 6],
  ['math.huge > 1e300 and math.pi > 3', true],
  ['os.time({year = 2030, month = 1, day = 1, hour = 0})', 1893456000],
  ['os.date("!%Y-%m-%dT%H:%M:%SZ")', '2030-01-02T03:04:05Z'],
  ['os.date("*t").year', 2030],
  ['require("os").time() > 0', true],
  ['next({})', undefined],
  ['rawequal(_G, _G) and _G.obj ~= nil', true],
  ['[[long\ntext]]', 'long\ntext'],
  ['[==[a]]b]==]', 'a]]b'],
  ['"\\65\\n\\"" ', 'A\n"'],
  ['({a = {b = {1, 2}}}).a.b[2]', 2],
];
for (const [expression, value] of cases) {
  test(`return ${expression}`, () => assert.deepEqual(run(`return ${expression}`), value));
}

const programs: [what: string, source: string, value: unknown][] = [
  [
    'closures have separate variables for each iteration',
    'local f = {} for i = 1, 3 do f[i] = function() i = i + 1 return i end end return {f[1](), f[1](), f[2]()}',
    [2, 3, 3],
  ],
  [
    'functions capture enclosing variables',
    'local n = 0 local function up() n = n + 1 return n end up() return up()',
    2,
  ],
  [
    'local functions call themselves',
    'local function f(n) if n < 2 then return n end return f(n - 1) + f(n - 2) end return f(15)',
    610,
  ],
  [
    'loops count down, break and repeat',
    'local s = "" for i = 3, 1, -1 do s = s .. i end while true do s = s .. "w" break end repeat local done = true until done return s',
    '321w',
  ],
  [
    'goto leaves inner loops',
    'local n = 0 for i = 1, 3 do for j = 1, 3 do if j == 2 then goto next end n = n + 1 end ::next:: end return n',
    3,
  ],
  ['goto jumps back', 'local i = 0 ::again:: i = i + 1 if i < 4 then goto again end return i', 4],
  [
    'several are assigned at once',
    'local a, b = 1, 2 a, b = b, a local t = {} t.x, t.y = 1 return {a, b, t.x, t.y == nil}',
    [2, 1, 1, true],
  ],
  [
    'methods and metatables',
    'local A = {} A.__index = A function A.new(n) return setmetatable({n = n}, A) end function A:get() return self.n end return A.new(4):get()',
    4,
  ],
  [
    'operators of tables',
    'local m = {__add = function(a, b) return 1 end, __call = function(_, x) return x end, __tostring = function() return "t" end, __concat = function() return "c" end, __unm = function() return "m" end} local t = setmetatable({}, m) return {t + 1, t(2), tostring(t), t .. "", -t}',
    [1, 2, 't', 'c', 'm'],
  ],
  [
    'pairs in insertion order, while keys are removed',
    'local t, s = {b = 1, a = 2, c = 3}, "" for k in pairs(t) do s = s .. k t[k] = nil end return s',
    'bac',
  ],
  [
    'pairs iterates over lists and maps',
    'local n = 0 for k, v in pairs({10, 20, x = 5}) do n = n + v end return n',
    35,
  ],
  ['ipairs ends at the first hole', 'local n = 0 for i in ipairs({1, 2, nil, 4}) do n = i end return n', 2],
  [
    'inserts, removes and sorts',
    'local t = {3, 1} table.insert(t, 2) table.insert(t, 1, 9) table.sort(t) table.remove(t, 1) table.sort(t, function(a, b) return a > b end) return t',
    [9, 3, 2],
  ],
  [
    'errors are caught, with their value',
    'local ok, e = pcall(error, {code = 5}) local ok2, e2 = pcall(function() local x = nil return x.y end) return {ok, e.code, ok2, e2}',
    [false, 5, false, "<string>:1: attempt to index a non-table object(nil) with key 'y'"],
  ],
  [
    'xpcall calls its handler',
    'return {xpcall(function() error("a") end, function(e) return e .. "!" end)}',
    [false, '<string>:1: a!'],
  ],
  [
    'gmatch iterates over all matches',
    'local s = "" for k, v in string.gmatch("a=1, b=2", "(%w+)=(%w+)") do s = s .. k .. v end return s',
    'a1b2',
  ],
  ['globals are the script’s own', 'x = 5 return x', 5],
  ['comments of both kinds', '-- one\n--[[ two\nlines ]] return 1 --[==[ ]] ]==]', 1],
  [
    'a call with a string or table literal',
    'local function f(x) return type(x) end return f"a" .. f{1}',
    'stringtable',
  ],
  [
    'the last call returns all values, in parentheses one',
    'local function f() return 1, 2 end local t = {f(), f()} local u = {(f())} return {#t, #u}',
    [3, 1],
  ],
];
for (const [what, source, value] of programs) test(what, () => assert.deepEqual(run(source), value));

test('the object is a table, null is nil, and list indexes start at 1', () => {
  assert.deepEqual(
    run('return {obj.list[1], #obj.list, obj.none == nil, obj.deep.name}', {
      list: ['a', 'b'],
      none: null,
      deep: { name: 'ü' },
    }),
    ['a', 2, true, 'ü'],
  );
});

test('a syntax error has the same message as in gopher-lua, and a detail', () => {
  assert.throws(
    () => run('local a = 1\n  if a then\n  elsif b end'),
    (error) => {
      assert.ok(error instanceof LuaSyntaxError);
      assert.equal(error.message, "<string> line:3(column:9) near 'b':   syntax error\n");
      assert.equal(error.detail, "line 3: '=' expected near 'b'");
      return true;
    },
  );
  assert.throws(() => run('x = '), { message: '<string> at EOF:   syntax error\n' });
});

test('an error has the line of the call at the given level', () => {
  const source = (level: string) => `\nlocal function f()\n  error("bad"${level})\nend\n\nf()`;
  assert.throws(() => run(source('')), { message: '<string>:3: bad' });
  assert.throws(() => run(source(', 2')), { message: '<string>:6: bad' });
  assert.throws(() => run(source(', 0')), { message: 'bad' });
  assert.throws(() => run('\nlocal x = ipairs(nil)'), {
    message: '<string>:2: bad argument #1 to ipairs (table expected, got nil)',
  });
});

const refused: [source: string, message: RegExp][] = [
  ['x = ', /line 1: .* near '<eof>'/],
  ['return 1 return 2', /must end after return/],
  ['\n\nif true then', /line 3: 'end' expected \(to close 'if' at line 3\)|line 3: 'end' expected/],
  ['local function f( return end', /expected near 'return'/],
  ['goto nowhere', /no visible label 'nowhere'/],
  ['return "unfinished', /unfinished string/],
  ['return 3x', /malformed number/],
  ['x + 1', /'=' expected/],
  ['f() = 1', /cannot assign/],
  [`return ${'('.repeat(400)}`, /too deeply nested/],
  ['return 1 < "2"', /attempt to compare number with string/],
  ['return {} .. "a"', /<string>:1: cannot perform concat operation between table and string$/],
  ['return #5', /<string>:1: __len undefined$/],
  ['return nil + 1', /<string>:1: cannot perform add operation between nil and number$/],
  ['return -{}', /<string>:1: __unm undefined$/],
  ['nothing()', /<string>:1: attempt to call a non-function object$/],
  ['for i = "x", 2 do end', /<string>:1: for statement init must be a number$/],
  ['local t = {} t[nil] = 1', /table index is nil/],
  ['return string.rep("x", -1, 2) .. string.sub()', /bad argument #1 to sub \(string expected, got nil\)/],
  ['return string.find("a", "[a")', /missing ']'/],
];
for (const [source, message] of refused) {
  test(`rejected: ${source.slice(0, 40).trim()}`, () => {
    assert.throws(
      () => run(source),
      (error: Error) => {
        assert.match(error instanceof LuaSyntaxError ? error.detail : error.message, message);
        return true;
      },
    );
  });
}
