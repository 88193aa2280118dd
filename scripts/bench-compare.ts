/**
 * `npm run bench:compare -- REVISION NAME [ARGUMENT …] [--rounds N] [--check]`: runs one benchmark at an earlier revision and in this tree, by
 * turns, and prints both as a ratio, also of the processor time of the whole run. The best round of each counts: load on the machine only
 * ever makes a round slower. `--check` exits with 1 if a duration has grown, or a rate has fallen, by more than 5 %. REVISION may also be a
 * folder with an installed checkout, which several comparisons can use.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './bench.ts';
import { comparison, type Measured } from './bench-compare/comparison.ts';
import { withProcessorTime } from './bench-compare/processor-time.ts';
import { exitAfterOutput, readCommandLine } from './command-line.ts';

const usage = 'usage: npm run bench:compare -- REVISION NAME [ARGUMENT …] [--rounds N] [--check]';
const { values, positionals, refuse } = readCommandLine(usage, {
  rounds: { type: 'string' },
  check: { type: 'boolean' },
});
const [revision = '', name = '', ...args] = positionals;
if (revision === '') refuse('REVISION is missing: the commit, or the folder of a checkout, to compare with');
if (name === '') refuse('NAME is missing: the benchmark to run');
const rounds = Number(values.rounds ?? 3);
if (!Number.isInteger(rounds) || rounds < 1) refuse('--rounds must be a whole number, at least 1');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const git = (...command: string[]) => execFileSync('git', ['-C', root, ...command], { encoding: 'utf8' }).trim();
const isCheckout = existsSync(join(revision, 'scripts', 'bench.ts'));
const known = spawnSync('git', ['-C', root, 'rev-parse', '--verify', '--quiet', `${revision}^{commit}`]);
if (!isCheckout && known.status !== 0) refuse(`${revision}: no such commit`);

function measure(tree: string): Figure[] {
  const program = join(tree, 'node_modules', '.bin', 'node');
  const { status, stdout, stderr } = spawnSync(
    program,
    ['--no-warnings', '--max-semi-space-size=8', join(tree, 'scripts', 'bench.ts'), name, ...args, '--json'],
    { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`the benchmark ${name} failed in ${tree}:\n${stderr}`);
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(last) as { figures: Figure[] }).figures;
}

const dir = mkdtempSync(join(tmpdir(), 'fairlead-compare-'));
const before = isCheckout ? resolve(revision) : join(dir, 'before');
const runs: Measured[] = [];
try {
  if (!isCheckout) {
    git('worktree', 'add', '--detach', before, revision);
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd: before, stdio: 'inherit' });
  }
  for (let round = 1; round <= rounds; round++) {
    runs.push({
      before: withProcessorTime(() => measure(before)),
      after: withProcessorTime(() => measure(root)),
    });
    console.error(`round ${round} of ${rounds}`);
  }
} finally {
  if (!isCheckout) git('worktree', 'remove', '--force', before);
  rmSync(dir, { recursive: true, force: true });
}

const compared = comparison(runs);
for (const { text } of compared) console.log(text);
const slower = compared.filter((figure) => figure.isSlower);
console.log(`${slower.length} of ${compared.length} figures slower by more than 5 %`);
exitAfterOutput(values.check && slower.length > 0 ? 1 : 0);
