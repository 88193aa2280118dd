import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type JsonObject, unstructured } from '@fairlead/apimachinery';
import { createLua } from '../health/lua/lua.ts';
import { type CustomActions, readCustomActions } from './custom-actions.ts';
import { discoverActions, runAction } from './resource-actions.ts';

const lua = createLua();
after(() => lua.close());

const deployment = unstructured({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: {} },
  spec: { replicas: 2, template: { spec: { volumes: [{ emptyDir: {} }] } }, strategy: {} },
});

const custom = (value: JsonObject): { lua: typeof lua; custom: Map<string, CustomActions> } => ({
  lua,
  custom: new Map([['apps/Deployment', readCustomActions(value)]]),
});
const definition = (script: string): JsonObject => ({ definitions: [{ name: 'go', 'action.lua': script }] });
const run = (script: string, parameters: Record<string, string> = {}) =>
  runAction(deployment, 'go', { now: 0, parameters }, custom(definition(script)));

test('a discovery script decides which actions an object offers', async () => {
  const discovery = `local actions = {}
    actions["plain"] = {}
    actions["grow"] = {disabled = obj.spec.replicas > 5, iconClass = "fa fa-plus", displayName = "Grow", params = {{name = "by", default = "1"}}}
    actions["shrink"] = {disabled = true}
    return actions`;
  assert.deepEqual(await discoverActions(deployment, custom({ 'discovery.lua': discovery })), [
    { name: 'grow', params: [{ name: 'by', default: '1' }], iconClass: 'fa fa-plus', displayName: 'Grow' },
    { name: 'plain' },
    { name: 'shrink', disabled: true },
  ]);
  assert.deepEqual(await discoverActions(deployment, custom({ 'discovery.lua': 'return {}' })), []);
});

test('mergeBuiltinActions adds built-in actions, and a custom one overrides that of the same name', async () => {
  const discovery = 'return {restart = {displayName = "Mine"}}';
  const names = async (mergeBuiltinActions: boolean): Promise<string[]> =>
    (await discoverActions(deployment, custom({ 'discovery.lua': discovery, mergeBuiltinActions }))).map(
      ({ name, displayName = '' }) => `${name}${displayName}`,
    );
  assert.deepEqual(await names(false), ['restartMine']);
  assert.deepEqual(await names(true), ['pause', 'restartMine', 'resume', 'scale']);
});

test('a built-in action can be run though only own ones are offered', async () => {
  const [impacted] = await runAction(deployment, 'pause', { now: 0, parameters: {} }, custom(definition('return obj')));
  assert.equal(impacted?.operation, 'patch');
});

test('the result of a script is the changed object; empty objects stay objects', async () => {
  const [impacted] = await run('obj.spec.replicas = tonumber(actionParams["n"]); return obj', { n: '7' });
  assert.deepEqual(impacted, {
    operation: 'patch',
    object: { ...deployment, spec: { ...(deployment['spec'] as JsonObject), replicas: 7 } },
  });
});

test('a script can return a list of objects to create and to patch', async () => {
  const impacted =
    await run(`local map = {apiVersion = "v1", kind = "ConfigMap", metadata = {name = "made", namespace = "shop"}}
    obj.spec.paused = true
    return {{operation = "create", resource = map}, {operation = "patch", resource = obj}}`);
  assert.deepEqual(
    impacted.map(({ operation, object }) => [operation, object.kind, object.metadata.name]),
    [
      ['create', 'ConfigMap', 'made'],
      ['patch', 'Deployment', 'web'],
    ],
  );
});

for (const [script, message] of [
  ['return 5', 'expect table output from Lua script, not number'],
  ['return nil', 'expect table output from Lua script, not nil'],
  ['error("no luck", 0)', 'no luck'],
  ['return {{operation = "delete", resource = obj}}', 'unsupported operation: "delete"'],
  ['obj.metadata.name = "other"; return obj', 'an action can patch only the object that it runs on'],
  [
    'return {{operation = "create", resource = {kind = "Pod"}}}',
    'an object to create must have apiVersion, kind and a name',
  ],
] as const) {
  test(`a script fails with: ${message}`, async () => {
    await assert.rejects(run(script), { message });
  });
}

test('a script that does not end is stopped', async () => {
  await assert.rejects(run('while true do end'), /did not end|limit|steps/);
});

test('a setting of another shape is refused', () => {
  assert.throws(() => readCustomActions('x'), /must be a map/);
  assert.throws(() => readCustomActions({ definitions: [{ name: 'a' }] }), /name and action.lua/);
});
