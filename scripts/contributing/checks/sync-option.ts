/** Run in a copy of the workspace: the sync option `SkipHooks` of CONTRIBUTING.md is validated, completed, documented and followed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { planSync, syncOptionProblem, tenantSyncOptions } from '@fairlead/engine';

const run = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};
const hook = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate', namespace: 'shop', annotations: { 'argocd.argoproj.io/hook': 'PreSync' } },
};

assert.equal(syncOptionProblem('SkipHooks=true'), undefined);
assert.match(syncOptionProblem('SkipHooks=maybe') ?? '', /use SkipHooks=true or SkipHooks=false/);
assert.ok(tenantSyncOptions.includes('SkipHooks=true'));
assert.match(
  run('packages/cli/bin/fairlead.js', '__complete', 'app', 'sync', 'web', '--sync-option', 'Skip'),
  /^SkipHooks=true\t/m,
);
assert.equal(planSync([], { hooks: [hook] }).length, 1);
assert.deepEqual(planSync([], { hooks: [hook], syncOptions: ['SkipHooks=true'] }), []);
run('--test', 'packages/app-controller/test/docs.test.ts');
