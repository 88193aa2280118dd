/**
 * `npm run fuzz -- TARGET|all [--seconds N] [--seed S]`: checks generated inputs of a parser or protocol, each target for N seconds. An input that
 * breaks the property, does not end or ends the process is shrunk, printed, and kept as a fixture that `npm test` replays. The same seed
 * generates the same inputs. The last line is `N targets, M findings`.
 */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitAfterOutput, readCommandLine } from './command-line.ts';
import { keepFinding } from './fuzz/fixtures.ts';
import { runTarget } from './fuzz/run-target.ts';
import { targets } from './fuzz/targets.ts';

const usage = `usage: npm run fuzz -- TARGET|all [--seconds N] [--seed S]\ntargets: ${[...targets.keys()].join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  seconds: { type: 'string' },
  seed: { type: 'string' },
});
const [name = '', ...rest] = positionals;
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000_000));
if (name === '') refuse('TARGET is missing: which parser to fuzz');
if (rest.length > 0) refuse(`unexpected argument ${rest[0]}`);
if (name !== 'all' && !targets.has(name)) refuse(`unknown target ${name}`);
if (!(seconds > 0)) refuse('--seconds must be a number above 0');
if (!Number.isInteger(seed)) refuse('--seed must be a whole number');

const root = fileURLToPath(new URL('..', import.meta.url));
const chosen = [...targets].filter(([target]) => name === 'all' || target === name);
let found = 0;
for (const [target, file] of chosen) {
  const { inputs, findings } = await runTarget(pathToFileURL(join(root, file)), { seed, seconds });
  console.log(`${target}: ${inputs.toLocaleString('en-US')} inputs with seed ${seed}, ${findings.length} findings`);
  for (const finding of findings) {
    console.log(`    ${finding.problem.split('\n').slice(0, 6).join('\n    ')}`);
    console.log(`    input: ${JSON.stringify(finding.input).slice(0, 400)}`);
    console.log(`    kept in ${keepFinding(root, file, finding)}`);
  }
  found += findings.length;
}
console.log(`${chosen.length} targets, ${found} findings`);
exitAfterOutput(found === 0 ? 0 : 1);
