import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../test/support/fairlead-process.ts';

test('help lists every command, and has examples for those that take a folder', async () => {
  const { code, stdout } = await runCommand(['help']);
  assert.equal(code, 0);
  for (const name of ['up', 'down', 'render', 'diff', 'version', 'help'])
    assert.match(stdout, new RegExp(`^  fairlead ${name} +\\S`, 'm'));
  for (const name of ['render', 'diff']) {
    const page = await runCommand([name, '--help']);
    assert.equal(page.code, 0);
    assert.match(page.stdout, new RegExp(`^fairlead ${name} PATH`));
    assert.match(page.stdout, new RegExp(`^  \\$ fairlead ${name} `, 'm'));
    assert.equal((await runCommand(['help', name])).stdout, page.stdout);
  }
});
