import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import { assessHealth } from '../assess-health.ts';
import { evaluateRule } from './evaluate-rule.ts';
import { compare, condition, degraded, field, healthy, progressing, type Rule, stale, suspended } from './rule.ts';

/** The example of the README. */
const backupSchedule: Rule = [
  suspended('Schedule is paused', field('spec.paused', true)),
  progressing('Waiting for the schedule to be read', stale()),
  degraded('{it.reason}: {it.message}', condition('Ready', 'False')),
  progressing('{status.done} of {count:spec.targets[*]} backups', compare('status.done', '<', 'count:spec.targets[*]')),
  healthy("Last backup at {status.lastTime|'an unknown time'}", condition('Ready', 'True')),
  progressing('Waiting for the first backup'),
];

const schedule = (status: object | undefined, spec: object = { targets: ['a', 'b'] }): KubeObject =>
  ({
    apiVersion: 'backup.example.org/v1',
    kind: 'Schedule',
    metadata: { name: 's', generation: 2 },
    spec,
    status,
  }) as KubeObject;
const ready = (status: string, rest: object = {}) => ({
  conditions: [{ type: 'Ready', status, reason: 'NoBucket', message: 'there is no bucket' }],
  ...rest,
});

const cases: [object: KubeObject, expected: string][] = [
  [schedule({}, { paused: true }), 'Suspended: Schedule is paused'],
  [schedule({ observedGeneration: 1 }), 'Progressing: Waiting for the schedule to be read'],
  [schedule(ready('False')), 'Degraded: NoBucket: there is no bucket'],
  [schedule(ready('True', { done: 1 })), 'Progressing: 1 of 2 backups'],
  [schedule(ready('True', { done: 2, lastTime: '10:00' })), 'Healthy: Last backup at 10:00'],
  [schedule(ready('True', { done: 2 })), 'Healthy: Last backup at an unknown time'],
];
for (const [object, expected] of cases) {
  test(`the health of the example is ${expected}`, () => {
    const health = assessHealth(object, { customHealth: (it) => evaluateRule(backupSchedule, it) });
    assert.equal(`${health?.status}: ${health?.message}`, expected);
  });
}

test('the README contains the example that is tested', () => {
  const clausesOf = (file: string, opening: string): string[] => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n');
    const start = lines.findIndex((line) => line.includes(opening));
    return lines
      .slice(
        start + 1,
        lines.findIndex((line, at) => at > start && /^\s*\],?;?$/.test(line)),
      )
      .map((line) => line.trim());
  };
  const run = clausesOf('example.test.ts', 'const backupSchedule: Rule');
  assert.equal(run.length, 6);
  assert.deepEqual(clausesOf('../../../README.md', "'backup.example.org/Schedule'"), run);
});
