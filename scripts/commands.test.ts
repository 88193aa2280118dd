/** The commands of the workspace refuse wrong arguments with a message and their usage. */
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
  const path = fileURLToPath(new URL(`./${script}.ts`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', path, ...args], {
    encoding: 'utf8',
  });
  return { code: status, text: stderr + stdout };
}

for (const [script, args, said] of [
  ['bench', ['nothing'], /^unknown benchmark nothing\nusage: npm run bench -- NAME/],
  ['bench', ['render', '--fast'], /^Unknown option '--fast'.*\nusage: npm run bench/],
  ['bench-compare', ['nosuchrevision', 'render'], /^nosuchrevision: no such commit\nusage: npm run bench:compare/],
  ['bench-compare', ['HEAD'], /^NAME is missing: the benchmark to run\nusage: /],
  ['conformance', ['nothing', empty], /^unknown suite nothing\nusage: npm run conformance -- SUITE DIR/],
  ['conformance', ['crds'], /^DIR is missing: the folder with the cases\nusage: /],
  ['conformance', ['crds', join(empty, 'missing')], /missing: no such folder\nusage: /],
  ['conformance', ['kubernetes-api', empty], /: no cases of kubernetes-api\n0 passed, 0 failed\n$/],
  ['conformance', ['helm', empty], /^.*: no such file; is .* a folder with cases of helm\?\nusage: /],
  ['e2e', ['nothing'], /^unknown suite nothing\nusage: npm run e2e -- \[SUITE\]/],
  ['e2e', ['--kubeconfig', join(empty, 'missing')], /missing: no such file\nusage: /],
  ['e2e', ['kubectl', 'extra'], /^unexpected argument extra: name one suite\nusage: /],
  ['test-watch', [], /^PATTERN is missing: which test files to watch\nusage: npm run test:watch/],
  ['test-watch', ['nosuch'], /^no test file's path contains nosuch\nusage: /],
  ['coverage', ['nosuch'], /^no test file's path contains nosuch\nusage: npm run coverage/],
  ['sim', ['--seeds', 'many'], /^--seeds must be a whole number, at least 1\nusage: npm run sim/],
  ['soak', [], /^--hours or --minutes must be a number greater than 0\nusage: npm run soak/],
  ['soak', ['--minutes', 'many'], /^--hours or --minutes must be a number greater than 0\nusage: /],
  ['sim', ['--scenario', 'nothing'], /^unknown scenario nothing\nusage: /],
  ['mutants', ['nosuch'], /^no mutant's name or file contains nosuch\nusage: npm run mutants/],
  ['mutants', ['--jobs', '0'], /^--jobs must be a whole number, at least 1\nusage: /],
  ['fuzz', [], /^TARGET is missing: which parser to fuzz\nusage: npm run fuzz/],
  ['fuzz', ['nosuch'], /^unknown target nosuch\nusage: /],
  ['fuzz', ['yaml', '--seconds', 'many'], /^--seconds must be a number above 0\nusage: /],
] as [string, string[], RegExp][]) {
  test(`npm run ${script} -- ${args.map((arg) => arg.replace(empty, 'DIR')).join(' ')}: refused`, () => {
    const { code, text } = run(script, args);
    assert.match(text, said);
    assert.equal(code, 1);
  });
}

test('--help prints the usage and succeeds', () => {
  for (const script of ['bench', 'conformance', 'coverage', 'e2e', 'fuzz', 'mutants', 'sim', 'soak', 'test-watch']) {
    const { code, text } = run(script, ['--help']);
    assert.match(text, /^usage: npm run /);
    assert.equal(code, 0, script);
  }
});
