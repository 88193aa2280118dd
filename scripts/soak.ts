/**
 * `npm run soak -- [--hours H] [--minutes M] [--out DIR] [--seed S]`: runs every role as a separate process for that long, with
 * commits, drift, deletions, restarts, hanging and failing sources and agents that disconnect. Fails if memory, descriptors or the delay of the event
 * loop of a process grow, or if not everything is deployed in the end. Writes `soak.csv`, `soak.svg` and the
 * logs of the processes to DIR. The last line is `N passed, M failed`.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { exitAfterOutput, readCommandLine } from './command-line.ts';
import { csvHeader, csvRows } from './soak/measures.ts';
import { plot } from './soak/plot.ts';
import { runSoak } from './soak/run-soak.ts';
import { describeTrend, trends } from './soak/trend.ts';

const usage = 'usage: npm run soak -- [--hours H] [--minutes M] [--out DIR] [--seed S]';
const { values, positionals, refuse } = readCommandLine(usage, {
  hours: { type: 'string' },
  minutes: { type: 'string' },
  out: { type: 'string' },
  seed: { type: 'string' },
});
if (positionals.length > 0) refuse(`unexpected argument ${positionals[0]}`);
const minutes = Number(values.hours ?? 0) * 60 + Number(values.minutes ?? 0);
if (!(minutes > 0)) refuse('--hours or --minutes must be a number greater than 0');
const seed = Number(values.seed ?? 1);
if (!Number.isInteger(seed)) refuse('--seed must be a whole number');
const out = resolve(values.out ?? 'soak');
const dir = mkdtempSync(join(tmpdir(), 'fairlead-soak-'));
const began = performance.now();
const report = (line: string): void =>
  console.log(`${((performance.now() - began) / 60_000).toFixed(1).padStart(6)} min  ${line}`);
const seconds = minutes * 60;
/** How long a process fills its caches and compiles its code: docs/operate/soak.md has the figures. */
const warmUpSeconds = 900;
const csv = join(out, 'soak.csv');
const logs = join(out, 'logs');
mkdirSync(logs, { recursive: true });
writeFileSync(csv, csvHeader);
try {
  const { samples, done, missing } = await runSoak({
    dir,
    logs,
    seconds,
    parts: 'all',
    slots: { hub: 12, edge: 4, perTenant: 2 },
    changeEveryMs: 1_000,
    sampleEveryMs: Math.min(30_000, (seconds * 1000) / 40),
    faultEveryMs: Math.min(20_000, (seconds * 1000) / 20),
    // Each process once for every half hour of the run.
    restarts: Math.max(1, Math.round(minutes / 30)),
    restartSignals: ['SIGTERM', 'SIGKILL'],
    seed,
    report,
    // A run that is interrupted leaves what it has measured.
    onSamples: (taken) => appendFileSync(csv, csvRows(taken)),
  });
  writeFileSync(join(out, 'soak.svg'), plot(samples, `npm run soak -- --minutes ${minutes}`));
  for (const [name, count] of done) console.log(`${name}: ${count}`);
  const found = trends(samples, Math.min(warmUpSeconds, seconds / 4));
  for (const trend of found) console.log(describeTrend(trend));
  for (const line of missing) console.log(`not deployed: ${line}`);
  const failed = found.filter(({ result }) => result === 'grows').length + missing.length;
  console.log(`${csv} and soak.svg are written`);
  console.log(`${found.length + 1 - failed} passed, ${failed} failed`);
  exitAfterOutput(failed === 0 ? 0 : 1);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
