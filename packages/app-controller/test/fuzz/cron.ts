/**
 * A schedule matches the same times as a minute-by-minute search, or is rejected; a sync window is open exactly from its start to its end.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText, mutated, wordsOf } from '../../../../scripts/fuzz/inputs.ts';
import { fuzzTarget, unlessRefused } from '../../../../scripts/fuzz/target.ts';
import { type Cron, parseCron } from '../../src/project/cron.ts';
import { syncWindowDecision } from '../../src/project/sync-window.ts';
import { sampleApplication, sampleProject } from '../support/sample-application.ts';

const minuteMs = 60_000;
const from = Date.parse('2024-02-28T23:00:00Z');
const field = (max: number, names: readonly string[] = []): fc.Arbitrary<string> => {
  const number = fc.integer({ min: 0, max: max + 1 }).map(String);
  const value = names.length > 0 ? fc.oneof(number, fc.constantFrom(...names)) : number;
  const part = fc.oneof(
    fc.constantFrom('*', '?', '*/7', '*/1', '*/0'),
    value,
    fc.tuple(value, value).map(([low, high]) => `${low}-${high}`),
    fc.tuple(value, fc.integer({ min: 1, max: 9 })).map(([low, step]) => `${low}/${step}`),
  );
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));
};
const schedule = fc.oneof(
  {
    arbitrary: fc
      .tuple(field(59), field(23), field(31), field(12, ['jan', 'FEB', 'mar']), field(6, ['sun', 'MON', 'thu']))
      .map((fields) => fields.join(' ')),
    weight: 4,
  },
  mutated(['0 22 * * mon-fri', '*/15 9-17 1,15 jan ?'], ['*', '/', '-', ',', ' ', '?', '60', '-1', 'x', '\t']),
  wordsOf(['*', '/', '-', ',', ' ', '0', '59', 'mon', '1e1'], 12),
  anyText,
);

export const target = fuzzTarget({
  inputs: fc.record({
    schedule,
    /** Minutes after `from`. */
    at: fc.nat({ max: 3_000 }),
    durationMinutes: fc.integer({ min: 1, max: 200 }),
    zone: fc.constantFrom('', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'nowhere'),
    kind: fc.constantFrom('allow', 'deny'),
  }),
  check(input: { schedule: string; at: number; durationMinutes: number; zone: string; kind: string }) {
    const now = from + input.at * minuteMs;
    const cron = unlessRefused([Error], () => parseCron(input.schedule));
    if (cron) checkNext(cron, now);
    checkWindow(input, cron, now);
  },
});

/** The next time is the first match: no minute between matches. */
function checkNext(cron: Cron, now: number): void {
  const next = cron.next(now);
  if (next === undefined) return;
  assert.ok(next > now && next % minuteMs === 0, 'a whole minute that lies ahead');
  const steps = Math.min(500, (next - now) / minuteMs);
  for (let step = 1; step < steps; step++) {
    const earlier = now - (now % minuteMs) + step * minuteMs;
    if (earlier < next) assert.equal(cron.next(earlier - minuteMs / 2), cron.next(now), 'no match is left out');
  }
  assert.equal(cron.next(next - 1), next, 'it is found from the moment before');
}

function checkWindow(
  {
    schedule: text,
    durationMinutes,
    zone,
    kind,
  }: { schedule: string; durationMinutes: number; zone: string; kind: string },
  cron: Cron | undefined,
  now: number,
): void {
  const window = { kind, schedule: text, duration: `${durationMinutes}m`, timeZone: zone, applications: ['*'] };
  const decision = syncWindowDecision({
    project: sampleProject({ syncWindows: [window] }),
    application: sampleApplication(),
    cluster: { server: 'https://kubernetes.default.svc', name: 'in-cluster' },
    now,
  });
  if (!cron || zone === 'nowhere') {
    assert.equal(decision.open, false, 'a window that cannot be read stops every sync');
    return;
  }
  if (!decision.open && decision.opensAt !== undefined) assert.ok(decision.opensAt > now, 'it opens later');
  if (zone !== '') return;
  const starts = cron.next(now - durationMinutes * minuteMs);
  const inside = starts !== undefined && starts <= now;
  assert.equal(decision.open, kind === 'allow' ? inside : !inside);
}
