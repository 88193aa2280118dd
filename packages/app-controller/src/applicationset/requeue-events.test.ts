import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import { concernsSet } from './requeue-events.ts';

const at = (second: number): string => `2026-01-02T03:04:0${second}Z`;
const applicationWith = (status: object): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd' },
  spec: { project: 'default', destination: {} },
  status,
});
const operation = (phase: string, second = 5) => ({
  operationState: { phase, startedAt: at(second), operation: {} },
});

const cases: [title: string, before: object, after: object, concerned: boolean][] = [
  // As in Argo CD: the comparison that follows is the event.
  ['the first operation appears', {}, operation('Failed'), false],
  ['an operation ends', operation('Running'), operation('Succeeded'), true],
  ['another operation starts', operation('Succeeded', 1), operation('Succeeded', 5), true],
  [
    'the first comparison after an operation writes only its time',
    { ...operation('Succeeded'), reconciledAt: at(1) },
    { ...operation('Succeeded'), reconciledAt: at(5) },
    true,
  ],
  [
    'a later comparison',
    { ...operation('Succeeded'), reconciledAt: at(6) },
    { ...operation('Succeeded'), reconciledAt: at(9) },
    false,
  ],
  ['a comparison without an operation', { reconciledAt: at(1) }, { reconciledAt: at(5) }, false],
];
for (const [title, before, after, concerned] of cases) {
  test(`a rollout and its Applications: ${title}`, () => {
    assert.equal(concernsSet(applicationWith(before), applicationWith(after), true), concerned);
    assert.equal(concernsSet(applicationWith(before), applicationWith(after), false), false, 'without rollouts');
  });
}
