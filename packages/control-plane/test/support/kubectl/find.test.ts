import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findKubectls } from './find.ts';

async function fake(path: string, answer: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\necho '${answer}'\n`);
  await chmod(path, 0o755);
}

const says = (version: string): string => JSON.stringify({ clientVersion: { gitVersion: version } });

test('every kubectl is found once, with its siblings in its real directory, newest first', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'find-kubectl-'));
  t.after(() => rm(root, { recursive: true }));
  const [bin, real, empty] = [join(root, 'bin'), join(root, 'real'), join(root, 'empty')];
  for (const folder of [bin, real, empty]) await mkdir(folder);
  await fake(join(real, 'kubectl'), says('v1.9.1'));
  await fake(join(real, 'kubectl.1.10'), says('v1.10.0'));
  await fake(join(real, 'kubectl.1.11'), 'not a kubectl');
  await fake(join(real, 'kubectl-convert'), says('v1.12.0'));
  await symlink(join(real, 'kubectl'), join(bin, 'kubectl'));

  const found = await findKubectls([bin, empty, real, join(root, 'absent')].join(delimiter));
  assert.deepEqual(
    found.map(({ version }) => version),
    ['v1.10.0', 'v1.9.1'],
  );
  assert.deepEqual(await findKubectls(empty), []);
});
