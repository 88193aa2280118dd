/** The commands of the workspace say what is wrong with what they were given, and how they are used. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const empty = mkdtempSync(join(tmpdir(), 'fairlead-empty-'));
after(() => rmSync(empty, { recursive: true }));

function run(script: string, args: readonly string[]): { code: number | null; text: string } {
  const path = fileURLToPath(new URL(`../../../scripts/${script}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', path, ...args], {
    encoding: 'utf8',
  });
  return { code: status, text: stderr + stdout };
}

for (const [script, args, said] of [
  ['bench', ['nothing'], /^there is no benchmark nothing\nusage: npm run bench -- NAME/],
  ['bench', ['render', '--fast'], /^Unknown option '--fast'.*\nusage: npm run bench/],
  ['conformance', ['nothing', empty], /^there is no suite nothing\nusage: npm run conformance -- SUITE DIR/],
  ['conformance', ['crds'], /^DIR is missing: the folder with the cases\nusage: /],
  ['conformance', ['crds', join(empty, 'none')], /none: no such folder\nusage: /],
  ['conformance', ['kubernetes-api', empty], /: no cases of kubernetes-api\n0 passed, 0 failed\n$/],
  ['conformance', ['helm', empty], /^.*: no such file; is .* a folder with cases of helm\?\nusage: /],
  ['e2e', ['nothing'], /^there is no suite nothing\nusage: npm run e2e -- \[SUITE\]/],
  ['e2e', ['--kubeconfig', join(empty, 'none')], /none: no such file\nusage: /],
  ['sim', ['--seeds', 'many'], /^--seeds is a whole number, at least 1\nusage: npm run sim/],
  ['sim', ['--scenario', 'nothing'], /^there is no scenario nothing\nusage: /],
] as [string, string[], RegExp][]) {
  test(`npm run ${script} -- ${args.map((arg) => arg.replace(empty, 'DIR')).join(' ')}: refused in words`, () => {
    const { code, text } = run(script, args);
    assert.match(text, said);
    assert.equal(code, 1);
  });
}

test('--help is no failure', () => {
  for (const script of ['bench', 'conformance', 'e2e', 'sim']) {
    const { code, text } = run(script, ['--help']);
    assert.match(text, /^usage: npm run /);
    assert.equal(code, 0, script);
  }
});
