import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { inProcessLua } from '../../test/support/in-process-lua.ts';
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
  createCustomHealth([script('example.org/Thing', source)], inProcessLua({ timeMs: 60_000, steps: 100_000 })).assess(
    object,
  );

test('a script assesses the health of an object', async () => {
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
  assert.deepEqual(await of(source), { status: 'Progressing', message: 'Waiting' });
  assert.deepEqual(await of(source, ready('True')), { status: 'Healthy', message: 'm ü' });
  assert.deepEqual(await of(source, ready('False')), { status: 'Degraded', message: 'm ü' });
});

test('an exact kind takes precedence over a glob, and a kind without a customization uses the built-in health check', async () => {
  const custom = createCustomHealth(
    [
      script('*.org/*', 'return {status = "Suspended"}'),
      script('example.org/Thing', 'return {status = "Degraded"}'),
      script('ConfigMap', 'return {status = "Progressing"}'),
    ],
    inProcessLua(),
  );
  assert.equal((await custom.assess(thing()))?.status, 'Degraded');
  assert.equal((await custom.assess(thing({}, 'example.org/v1', 'Other')))?.status, 'Suspended');
  assert.equal((await custom.assess(thing({}, 'v1', 'ConfigMap')))?.status, 'Progressing');
  assert.equal(await custom.assess(thing({}, 'v1', 'Secret')), undefined);
});

const wrong: [what: string, source: string, message: RegExp][] = [
  ['no program', 'return {1', /^<string> at EOF: {3}syntax error\n$/],
  [
    'an index of nil',
    '\nreturn {status = obj.status.phase}',
    /^<string>:2: attempt to index a non-table object\(nil\) with key 'phase'$/,
  ],
  ['an explicit error', 'error("on purpose")', /^<string>:1: on purpose$/],
  ['no table', 'return 5', /^expect table output from Lua script, not number$/],
  ['another status', 'return {status = "Great"}', /^Lua returned an invalid health status$/],
  ['an endless loop', 'while true do end', /it takes more than 100000 steps/],
  ['endless recursion', 'local function f() return f() .. "x" end return f()', /stack overflow/],
  ['too much memory', 'local s = "x" while true do s = s .. s end', /more than 32 MiB of memory/],
  [
    'an endless pattern',
    'return {status = string.match(string.rep("a", 400), string.rep("a-", 12) .. "b")}',
    /takes more than 100000 steps/,
  ],
  ['files', 'io.open("/etc/passwd")', /attempt to index a non-table object\(nil\) with key 'open'/],
  ['the environment', 'os.getenv("HOME")', /attempt to call a non-function object/],
  ['other code', 'require("socket")', /module 'socket' not found/],
  ['more code', 'loadstring("x")', /attempt to call a non-function object/],
];
for (const [what, source, message] of wrong) {
  test(`${what} is Unknown, and the message says where and why`, async () => {
    const result = await of(source);
    assert.equal(result?.status, 'Unknown');
    assert.match(result.scriptProblem?.advice ?? '', /customization of example\.org\/Thing/);
    assert.match(result.message ?? '', message);
  });
}

test('advice explains the problem of the script, in addition to the same message as Argo CD', async () => {
  assert.deepEqual((await of('return {1'))?.scriptProblem, {
    advice: "change the script in customization of example.org/Thing (line 1: '}' expected near '<eof>')",
    failed: true,
  });
  assert.deepEqual((await of('return {status = "Great"}'))?.scriptProblem, {
    advice:
      'customization of example.org/Thing must return one of the statuses Healthy, Suspended, Progressing, Missing, Degraded, Unknown',
    failed: false,
  });
});

test('a script cannot catch the error of a limit', async () => {
  const result = await of('while true do pcall(function() while true do end end) end');
  assert.match(result?.message ?? '', /steps/);
});

test('a script that exceeds its limit repeatedly is paused for a minute', async () => {
  let now = 0;
  const custom = createCustomHealth(
    [script('example.org/Thing', 'if obj.bad then while true do end end return {status = "Healthy"}')],
    inProcessLua({ steps: 1_000 }),
    () => now,
  );
  const messageFor = async (object: KubeObject) => (await custom.assess(object))?.message ?? '';
  for (let i = 0; i < 3; i++) assert.match(await messageFor(thing({ bad: true })), /1000 steps/);
  assert.match(await messageFor(thing()), /pauses for a minute/);
  assert.equal((await custom.assess(thing(), 'another project'))?.status, 'Healthy');
  now += 61_000;
  assert.equal((await custom.assess(thing()))?.status, 'Healthy');
});

test('a script that returns nothing or an empty table means that the object has no health', async () => {
  for (const source of ['local x = 1', 'return nil', 'return {}']) {
    assert.equal(await of(source), null);
  }
});

test('each version of an object is assessed once', async () => {
  let runs = 0;
  const lua = {
    ...inProcessLua(),
    run: async () => {
      runs += 1;
      return { status: 'Healthy' };
    },
  };
  const custom = createCustomHealth([script('example.org/Thing', '')], lua);
  const version = (resourceVersion: string) => thing({ metadata: { name: 't', uid: 'u', resourceVersion } });
  await Promise.all([custom.assess(version('1')), custom.assess(version('1'))]);
  assert.equal((await custom.assess(version('1')))?.status, 'Healthy');
  assert.equal(runs, 1);
  await custom.assess(version('2'));
  assert.equal(runs, 2);
});
