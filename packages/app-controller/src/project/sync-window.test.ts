import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, AppProject } from '@fairlead/api';
import fc from 'fast-check';
import { type SyncWindow, syncWindowDecision, syncWindowProblems, type WindowQuestion } from './sync-window.ts';

const cluster = { server: 'https://prod.example.com', name: 'prod' };
const application = {
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: { project: 'p', destination: { name: 'prod', namespace: 'web' } },
} as unknown as Application;
const all = { applications: ['*'] };
const ask = (windows: SyncWindow[], now: string, rest: Partial<WindowQuestion> = {}) =>
  syncWindowDecision({
    project: { metadata: { name: 'p' }, spec: { syncWindows: windows } } as AppProject,
    application,
    cluster,
    now: Date.parse(now),
    ...rest,
  });
const deny: SyncWindow = { kind: 'deny', schedule: '0 22 * * *', duration: '8h', ...all };
const allow: SyncWindow = { kind: 'allow', schedule: '0 9 * * 1-5', duration: '8h', ...all };

test('without windows, or with none that matches the Application, a sync may run', () => {
  assert.equal(ask([], '2026-03-02T23:00:00Z').open, true);
  assert.equal(ask([{ ...deny, applications: ['other'] }], '2026-03-02T23:00:00Z').open, true);
});

test('an open deny window blocks syncs and reports its end', () => {
  assert.equal(ask([deny], '2026-03-02T21:59:59Z').open, true);
  assert.deepEqual(ask([deny], '2026-03-02T22:00:00Z'), {
    open: false,
    reason: "the deny window '0 22 * * *' for 8h of project 'p' is open; the next sync may run at 2026-03-03T06:00:00Z",
    opensAt: Date.parse('2026-03-03T06:00:00Z'),
  });
  assert.equal(ask([deny], '2026-03-03T05:59:59Z').open, false);
  assert.equal(ask([deny], '2026-03-03T06:00:00Z').open, true);
});

test('consecutive and overlapping windows have no gap where one ends', () => {
  const always: SyncWindow = { kind: 'deny', schedule: '* * * * *', duration: '24h', ...all };
  const hourly: SyncWindow = { kind: 'allow', schedule: '0 * * * *', duration: '1h', ...all };
  for (const instant of ['09:00:00.000', '09:00:00.001', '09:00:30.000', '09:59:59.999', '10:00:00.000']) {
    assert.equal(ask([always], `2026-03-02T${instant}Z`).open, false, `deny at ${instant}`);
    assert.equal(ask([hourly], `2026-03-02T${instant}Z`).open, true, `allow at ${instant}`);
  }
});

test('if allow windows exist, one must be open', () => {
  assert.equal(ask([allow], '2026-03-02T09:00:00Z').open, true);
  const closed = ask([allow], '2026-03-06T17:00:00Z');
  assert.ok(!closed.open);
  assert.equal(closed.opensAt, Date.parse('2026-03-09T09:00:00Z'), 'Friday evening: on Monday');
  assert.match(closed.reason, /^no allow window of project 'p' is open: '0 9 \* \* 1-5' for 8h; the next/);
});

test('deny wins over allow, and the reported next time satisfies both', () => {
  const noon: SyncWindow = { kind: 'deny', schedule: '0 8 * * *', duration: '4h', ...all };
  const held = ask([allow, noon], '2026-03-02T07:00:00Z');
  assert.ok(!held.open);
  assert.equal(held.opensAt, Date.parse('2026-03-02T12:00:00Z'));
});

test('a schedule follows the wall clock of its time zone, also across daylight saving time', () => {
  const berlin = { ...deny, schedule: '0 2 * * *', duration: '1h', timeZone: 'Europe/Berlin' };
  assert.equal(ask([berlin], '2026-01-10T01:30:00Z').open, false);
  assert.equal(ask([berlin], '2026-01-10T02:30:00Z').open, true);
  assert.equal(ask([berlin], '2026-07-10T00:30:00Z').open, false, 'an hour earlier in summer');
  assert.equal(ask([{ ...berlin, timeZone: 'Asia/Kolkata' }], '2026-01-10T20:45:00Z').open, false, 'half hours too');
});

test('manualSync permits a manual sync if every blocking window has it', () => {
  const manual = { ...deny, manualSync: true };
  const night = '2026-03-02T23:00:00Z';
  assert.equal(ask([manual], night).open, false);
  assert.equal(ask([manual], night, { manual: true }).open, true);
  assert.equal(ask([manual, { ...deny, schedule: '30 22 * * *' }], night, { manual: true }).open, false);
  assert.equal(ask([{ ...allow, manualSync: true }], night, { manual: true }).open, true);
});

test('syncOverrun permits only a sync that started when it was allowed', () => {
  const night = '2026-03-02T23:00:00Z';
  const over = { ...deny, syncOverrun: true };
  assert.equal(ask([over], night, { startedAt: Date.parse('2026-03-02T21:50:00Z') }).open, true);
  assert.equal(ask([over], night, { startedAt: Date.parse('2026-03-02T22:10:00Z') }).open, false);
  assert.equal(ask([deny], night, { startedAt: Date.parse('2026-03-02T21:50:00Z') }).open, false);
  const evening = { ...allow, syncOverrun: true };
  assert.equal(ask([evening], '2026-03-02T17:10:00Z', { startedAt: Date.parse('2026-03-02T16:50:00Z') }).open, true);
});

const names: [window: Partial<SyncWindow>, matched: boolean][] = [
  [{ applications: ['sh*'] }, true],
  [{ namespaces: ['web'] }, true],
  [{ clusters: ['prod'] }, true],
  [{ clusters: ['https://prod.*'] }, true],
  [{ clusters: ['staging'] }, false],
  [{}, false],
  [{ applications: ['shop'], namespaces: ['other'] }, true],
  [{ applications: ['shop'], namespaces: ['other'], andOperator: true }, false],
  [{ applications: ['shop'], namespaces: ['w*'], clusters: ['prod'], andOperator: true }, true],
];
for (const [window, matched] of names) {
  test(`${JSON.stringify(window)} ${matched ? 'matches' : 'does not match'} the Application`, () => {
    const { applications: _, ...rest } = deny;
    assert.equal(ask([{ ...rest, ...window }], '2026-03-02T23:00:00Z').open, !matched);
  });
}

const wrong: [window: Partial<SyncWindow>, field: RegExp][] = [
  [{ kind: 'maybe' }, /spec\.syncWindows\[0\]\.kind: kind 'maybe' mismatch: can only be allow or deny/],
  [
    { schedule: '0 25 * * *' },
    /\.schedule: cannot parse schedule '0 25 \* \* \*': end of range \(25\) above maximum \(23\): 25/,
  ],
  [{ duration: '8 hours' }, /\.duration: cannot parse duration '8 hours'/],
  [{ timeZone: 'Mars/Base' }, /\.timeZone: unknown time zone Mars\/Base/],
];
for (const [change, field] of wrong) {
  test(`an invalid window (${Object.keys(change)}) blocks all syncs, and the field is reported`, () => {
    const decision = ask([{ ...deny, ...change }], '2026-03-02T12:00:00Z');
    assert.ok(!decision.open);
    assert.match(decision.reason, field);
    assert.match(syncWindowProblems([{ ...deny, ...change }])[0]!, field);
  });
}

test('a sync may run at the reported next time, and not before', () => {
  const hour = fc.integer({ min: 0, max: 23 });
  const window = fc.record({
    kind: fc.constantFrom('allow', 'deny'),
    schedule: hour.map((h) => `30 ${h} * * *`),
    duration: fc.integer({ min: 1, max: 20 }).map((h) => `${h}h`),
    timeZone: fc.constantFrom('', 'Europe/Berlin', 'America/New_York'),
    applications: fc.constant('*').map((pattern) => [pattern]),
  });
  fc.assert(
    fc.property(fc.array(window, { minLength: 1, maxLength: 4 }), fc.integer({ min: 0, max: 200 }), (windows, h) => {
      const now = new Date(Date.parse('2026-05-01T00:00:00Z') + h * 3_600_000).toISOString();
      const decision = ask(windows, now);
      if (decision.open || decision.opensAt === undefined) return;
      assert.equal(ask(windows, new Date(decision.opensAt).toISOString()).open, true);
      assert.equal(ask(windows, new Date(decision.opensAt - 1000).toISOString()).open, false);
    }),
    { numRuns: 200 },
  );
});
