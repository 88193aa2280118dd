/**
 * `npm run sim -- --seeds N [--seed S] [--scenario NAME] [--keep 1,4,…] [--trace]`: N deterministic fault schedules, from seed S on.
 * A failure is shrunk to the fewest of its planned events that still show it, and prints the command that replays those; the last
 * line is `N passed, M failed`.
 */
import { parseArgs } from 'node:util';
import { runScenario, type Scenario, type ScenarioResult } from '../packages/sim/src/scenario.ts';
import { largeScenarios, scenarios } from '../packages/sim/src/scenarios/index.ts';
import { shrink } from '../packages/sim/src/shrink.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    scenario: { type: 'string' },
    keep: { type: 'string' },
    trace: { type: 'boolean' },
  },
});
const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 300 : 1));
const keep = values.keep?.split(',').filter(Boolean).map(Number);
const chosen =
  values.scenario === undefined
    ? scenarios
    : [...scenarios, ...largeScenarios].filter(({ name }) => name === values.scenario);
if (!Number.isInteger(first) || first < 0 || !Number.isInteger(count) || count < 1 || chosen.length === 0) {
  console.error('usage: npm run sim -- --seeds N [--seed S] [--scenario NAME] [--keep 1,4,…] [--trace]');
  console.error(`scenarios: ${[...scenarios, ...largeScenarios].map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

let stray: unknown;
process.on('unhandledRejection', (reason) => {
  stray ??= reason ?? new Error('a promise was rejected and nobody listened');
});

const large = chosen.find(({ half }) => half);
const others = chosen.filter((scenario) => scenario !== large);
function ofSeed(seed: number): Scenario {
  if (large && (seed % 2 === 0 || others.length === 0)) return large;
  return others[Math.floor(seed / (large ? 2 : 1)) % others.length]!;
}

const linesShown = 30;
/** So many failures are shrunk; after them there is enough to do. */
const shrunk = 5;
const counted = (): number => [...perScenario.values()].reduce((sum, { failed }) => sum + failed, 0);
const began = performance.now();
const perScenario = new Map<string, { passed: number; failed: number }>();

for (let i = 0; i < count; i++) {
  const seed = first + i;
  const scenario = ofSeed(seed);
  stray = undefined;
  const ran = await runScenario(scenario, seed, keep);
  const result: ScenarioResult = stray !== undefined && !('error' in ran) ? { ...ran, error: stray } : ran;
  const counts = perScenario.get(scenario.name) ?? { passed: 0, failed: 0 };
  perScenario.set(scenario.name, counts);
  if ('error' in result) {
    counts.failed += 1;
    await report(scenario, result);
  } else counts.passed += 1;
  if (values.trace) for (const line of result.trace) console.log(line);
}

async function report(scenario: Scenario, whole: ScenarioResult): Promise<void> {
  const short = keep === undefined && counted() <= shrunk ? await shrink(scenario, whole) : undefined;
  const { seed, error, trace, fingerprint, planned } = short?.result ?? whole;
  const words = error instanceof Error ? error.message : String(error);
  console.log(`✖ ${scenario.name}, seed ${seed} (trace ${fingerprint}): ${words}`);
  for (const index of short?.keep ?? []) console.log(`    ${index}: ${planned[index]}`);
  for (const line of trace.slice(-linesShown)) console.log(`    ${line}`);
  const kept = short ? ` --keep ${short.keep.join(',')}` : '';
  console.log(`  replay: npm run sim -- --seed ${seed} --scenario ${scenario.name}${kept} --trace`);
}

for (const [name, { passed, failed }] of perScenario) console.log(`${name}: ${passed} passed, ${failed} failed`);
const seconds = (performance.now() - began) / 1000;
console.log(`${count} schedules in ${seconds.toFixed(1)} s, ${Math.round((count / seconds) * 60)} a minute`);
const failed = [...perScenario.values()].reduce((sum, counts) => sum + counts.failed, 0);
console.log(`${count - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
