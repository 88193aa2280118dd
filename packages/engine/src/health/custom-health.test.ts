import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { assessHealth } from './assess-health.ts';
import { createCustomHealth } from './custom-health.ts';

const thing = (rest: object = {}, apiVersion = 'example.org/v1', kind = 'Thing'): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 't' }, ...rest }) as KubeObject;
const script = (kinds: string, source: string) => ({
  kinds,
  source,
  openLibs: false,
  name: `customization of ${kinds}`,
});
const of = (source: string, object: KubeObject = thing()) =>
  createCustomHealth([script('example.org/Thing', source)], { timeMs: 60_000, steps: 100_000 }).assess(object);

test('a script assesses the health of an object', () => {
  const source = `
    local hs = {status = "Progressing", message = "Waiting"}
    for _, c in ipairs((obj.status or {}).conditions or {}) do
      if c.type ~= "Ready" then goto continue end
      hs.status = c.status == "True" and "Healthy" or "Degraded"
      hs.message = c.message
      ::continue::
    end
    return hs`;
  const ready = (status: string) =>
    thing({ status: { conditions: [{ type: 'X' }, { type: 'Ready', status, message: 'm ü' }] } });
  assert.deepEqual(of(source), { status: 'Progressing', message: 'Waiting' });
  assert.deepEqual(of(source, ready('True')), { status: 'Healthy', message: 'm ü' });
  assert.deepEqual(of(source, ready('False')), { status: 'Degraded', message: 'm ü' });
});

test('the kind itself goes before a glob, and a kind that nobody speaks for is left to what is known of it', () => {
  const custom = createCustomHealth([
    script('*.org/*', 'return {status = "Suspended"}'),
    script('example.org/Thing', 'return {status = "Degraded"}'),
    script('ConfigMap', 'return {status = "Progressing"}'),
  ]);
  assert.equal(custom.assess(thing())?.status, 'Degraded');
  assert.equal(custom.assess(thing({}, 'example.org/v1', 'Other'))?.status, 'Suspended');
  assert.equal(custom.assess(thing({}, 'v1', 'ConfigMap'))?.status, 'Progressing');
  assert.equal(custom.assess(thing({}, 'v1', 'Secret')), undefined);
  const options = { customHealth: custom.assess };
  assert.deepEqual(assessHealth(thing({}, 'v1', 'Namespace'), options), { status: 'Healthy' });
  assert.deepEqual(assessHealth(thing(), options), { status: 'Degraded' });
});

const wrong: [what: string, source: string, message: RegExp][] = [
  ['no program', 'return {1', /customization of example\.org\/Thing: line 1: '}' expected near '<eof>'/],
  [
    'an index of nothing',
    '\nreturn {status = obj.status.phase}',
    /line 2: attempt to index field 'status' \(a nil value\) with key 'phase'/,
  ],
  ['an explicit error', 'error("on purpose")', /: on purpose$/],
  ['no table', 'return 5', /it returned no table/],
  ['another status', 'return {status = "Great"}', /one of the statuses Healthy, Suspended/],
  ['an endless loop', 'while true do end', /it takes more than 100000 steps/],
  ['endless recursion', 'local function f() return f() .. "x" end return f()', /stack overflow/],
  ['too much memory', 'local s = "x" while true do s = s .. s end', /more than 32 MiB of memory/],
  [
    'an endless pattern',
    'return {status = string.match(string.rep("a", 400), string.rep("a-", 12) .. "b")}',
    /takes more than 100000 steps/,
  ],
  ['files', 'io.open("/etc/passwd")', /attempt to index global 'io' \(a nil value\)/],
  ['the environment', 'os.getenv("HOME")', /attempt to call field 'getenv' \(a nil value\)/],
  ['other code', 'require("socket")', /module 'socket' not found/],
  ['more code', 'loadstring("x")', /attempt to call global 'loadstring'/],
];
for (const [what, source, message] of wrong) {
  test(`${what} is Unknown, and says where and why`, () => {
    const result = of(source);
    assert.equal(result?.status, 'Unknown');
    assert.match(result.message ?? '', message);
  });
}

test('a limit cannot be caught', () => {
  assert.match(of('while true do pcall(function() while true do end end) end')?.message ?? '', /steps/);
});

test('a script that hits its limit again and again rests for a minute', () => {
  let now = 0;
  const custom = createCustomHealth(
    [script('example.org/Thing', 'if obj.bad then while true do end end return {status = "Healthy"}')],
    {
      steps: 1_000,
      now: () => now,
    },
  );
  for (let i = 0; i < 3; i++) assert.match(custom.assess(thing({ bad: true }))?.message ?? '', /1000 steps/);
  assert.match(custom.assess(thing())?.message ?? '', /rests for a minute/);
  now += 61_000;
  assert.equal(custom.assess(thing())?.status, 'Healthy');
});

test('a script that returns nothing, or an empty table, says that the object has no health', () => {
  for (const source of ['local x = 1', 'return nil', 'return {}']) {
    assert.equal(of(source), null);
    const custom = createCustomHealth([script('Namespace', source)]);
    assert.equal(assessHealth(thing({}, 'v1', 'Namespace'), { customHealth: custom.assess }), undefined);
  }
});
