import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ContextsFile } from '../api-server/contexts-file.ts';
import { readEnvironment } from '../environment.ts';
import { type BackendFlags, serverFor } from './with-backend.ts';

const home = mkdtempSync(join(tmpdir(), 'fairlead-backend-'));
after(() => rmSync(home, { recursive: true, force: true }));
// Nothing runs on this data folder.
const base = { HOME: home, FAIRLEAD_DATA_DIR: join(home, 'data') };
ContextsFile.read(readEnvironment(base)).saveLogin('saved', { server: 'saved:1' }, 't');

const cluster = undefined;
const table: readonly [
  what: string,
  flags: BackendFlags,
  variables: Record<string, string>,
  address: string | undefined,
][] = [
  ['--kubeconfig, before everything else', { kubeconfig: 'k' }, { FAIRLEAD_SERVER: 'env:1', KUBECONFIG: 'k' }, cluster],
  ['--data-dir', { 'data-dir': 'd' }, { FAIRLEAD_SERVER: 'env:1' }, cluster],
  ['--server, before the environment', { server: 'flag:1' }, { FAIRLEAD_SERVER: 'env:1', KUBECONFIG: 'k' }, 'flag:1'],
  ['--server-context', { 'server-context': 'saved' }, { KUBECONFIG: 'k' }, 'saved:1'],
  ['FAIRLEAD_SERVER, before KUBECONFIG', {}, { FAIRLEAD_SERVER: 'env:1', KUBECONFIG: 'k' }, 'env:1'],
  ['KUBECONFIG, before the current context', {}, { KUBECONFIG: 'k' }, cluster],
  ['the current context', {}, {}, 'saved:1'],
];
for (const [what, flags, variables, address] of table)
  test(`a command uses ${what}`, () => {
    assert.equal(serverFor({ flags, environment: readEnvironment({ ...base, ...variables }) })?.address, address);
  });

test('a cluster and a server exclude each other', () => {
  const call = { flags: { kubeconfig: 'k', server: 's:1' }, environment: readEnvironment(base) };
  assert.throws(() => serverFor(call), /--kubeconfig names a cluster and --server an API server: use one of them/);
});
