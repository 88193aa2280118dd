/** Run in a copy of the workspace: the update strategy `calver` of CONTRIBUTING.md is validated, completed, documented and used. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pushImage, startDemoRegistry } from '@fairlead/images/demo-registry';
import { strategyNames } from '@fairlead/images/strategies';

const cli = 'packages/cli/bin/fairlead.js';
const run = (...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
};

assert.ok([...strategyNames, ''].includes('calver'));
assert.match(run(cli, '__complete', 'image', 'test', 'web', '--strategy', 'c'), /^calver\b/m);
run('--test', 'packages/images/src/config/vocabulary.test.ts', 'packages/cli/src/command-line/reference.test.ts');

const folder = mkdtempSync(join(tmpdir(), 'fairlead-calver-'));
const registry = await startDemoRegistry();
try {
  for (const tag of ['2026.9.1', '2026.11.2', '2025.12.30', '9999.1', 'latest'])
    await pushImage(registry.url, { repository: 'web', tag, created: new Date(0) });
  const conf = join(folder, 'registries.conf');
  writeFileSync(
    conf,
    `registries:\n- name: demo\n  prefix: demo.local\n  api_url: ${registry.url}\n  insecure: true\n`,
  );
  // Asynchronous: the registry answers from this process.
  const args = ['image', 'test', 'demo.local/web', '--strategy', 'calver', '--registries-conf', conf, '--all-tags'];
  const child = spawn(process.execPath, ['--no-warnings', cli, ...args]);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.match(output, /^2026\.11\.2\b/m, output + errors);
  assert.match(output, /latest.*not a calendar version/);
} finally {
  await registry.close();
  rmSync(folder, { recursive: true });
}
