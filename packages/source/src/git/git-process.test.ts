import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createGit } from './git-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'git-process-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'config'), '');
const git = createGit({
  environment: process.env,
  workDir: folder,
  configFile: join(folder, 'config'),
  protocols: ['https'],
});

test('only the listed transports are used: none that runs a program, and no local directory', async () => {
  const made = join(folder, 'made');
  for (const url of [`ext::touch ${made}`, `file://${folder}`, folder])
    await assert.rejects(git.run(['ls-remote', '--', url]), /transport '\w+' not allowed/, url);
  assert.ok(!existsSync(made));
});
