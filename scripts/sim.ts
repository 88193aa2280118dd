/**
 * `npm run sim -- --seeds N [--seed S] [--scenario NAME] [--trace]`: N deterministic fault schedules, from seed S on. A failure
 * prints the command that replays it; the last line is `N passed, M failed`.
 */
import { parseArgs } from 'node:util';
import { runScenario, type ScenarioResult } from '../packages/sim/src/scenario.ts';
import { scenarios } from '../packages/sim/src/scenarios/index.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    scenario: { type: 'string' },
    trace: { type: 'boolean' },
  },
});
const first = Number(values.seed ?? 1);
const count = Number(values.seeds ?? (values.seed === undefined ? 300 : 1));
const chosen = scenarios.filter(({ name }) => values.scenario === undefined || name === values.scenario);
if (!Number.isInteger(first) || first < 0 || !Number.isInteger(count) || count < 1 || chosen.length === 0) {
  console.error('usage: npm run sim -- --seeds N [--seed S] [--scenario NAME] [--trace]');
  console.error(`scenarios: ${scenarios.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

let stray: unknown;
process.on('unhandledRejection', (reason) => {
  stray ??= reason ?? new Error('a promise was rejected and nobody listened');
});

const linesShown = 30;
const began = performance.now();
const perScenario = new Map<string, { passed: number; failed: number }>();

for (let i = 0; i < count; i++) {
  const seed = first + i;
  const scenario = chosen[seed % chosen.length]!;
  stray = undefined;
  const ran = await runScenario(scenario, seed);
  const result: ScenarioResult = stray !== undefined && !('error' in ran) ? { ...ran, error: stray } : ran;
  const counts = perScenario.get(scenario.name) ?? { passed: 0, failed: 0 };
  perScenario.set(scenario.name, counts);
  if ('error' in result) {
    counts.failed += 1;
    report(result);
  } else counts.passed += 1;
  if (values.trace) for (const line of result.trace) console.log(line);
}

function report({ scenario, seed, error, trace, fingerprint }: ScenarioResult): void {
  console.log(
    `✖ ${scenario}, seed ${seed} (trace ${fingerprint}): ${error instanceof Error ? error.message : String(error)}`,
  );
  for (const line of trace.slice(-linesShown)) console.log(`    ${line}`);
  console.log(`  replay: npm run sim -- --seed ${seed} --scenario ${scenario} --trace`);
}

for (const [name, { passed, failed }] of perScenario) console.log(`${name}: ${passed} passed, ${failed} failed`);
const seconds = (performance.now() - began) / 1000;
console.log(`${count} schedules in ${seconds.toFixed(1)} s, ${Math.round((count / seconds) * 60)} a minute`);
const failed = [...perScenario.values()].reduce((sum, counts) => sum + counts.failed, 0);
console.log(`${count - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
