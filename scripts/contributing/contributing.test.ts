/** Follows the walk-throughs of CONTRIBUTING.md on a copy of the workspace: takes their steps, and checks that the addition works. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stepsOf } from './edits.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}/CONTRIBUTING.md`, 'utf8');
const copy = new WorkspaceCopy(root);
after(() => copy.remove());

const walkThroughs = [
  ['Add a sync option', 'sync-option.ts'],
  ['Add an update strategy', 'update-strategy.ts'],
  ['Add a built-in kind', 'built-in-kind.ts'],
] as const;

for (const [heading, check] of walkThroughs) {
  const runCheck = (): ReturnType<WorkspaceCopy['run']> =>
    copy.run(process.execPath, '--no-warnings', `scripts/contributing/checks/${check}`);

  test(`${heading}: the walk-through works and touches at most three files`, () => {
    assert.match(runCheck().output, /AssertionError/, 'the check must fail without the addition');
    const before = copy.hashes();
    for (const step of stepsOf(page, heading)) copy.take(step);
    const changed = copy.changedSince(before);
    assert.ok(changed.length > 0 && changed.length <= 3, changed.join('\n'));
    const { code, output } = runCheck();
    assert.equal(code, 0, output);
  });
}

test('the result of all walk-throughs type-checks', () => {
  const { code, output } = copy.run(process.execPath, 'node_modules/typescript/bin/tsc', '--noEmit');
  assert.equal(code, 0, output);
});
