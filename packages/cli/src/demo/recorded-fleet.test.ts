import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applicationKind, appProjectKind } from '@fairlead/api';
import { recordedApplication, recordedProjects } from './recorded-fleet.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const fleet = Array.from({ length: 2_000 }, (_, number) => recordedApplication(number, now));

test('recorded Applications and their projects are valid, each has its own name, and the controller skips them', () => {
  for (const application of fleet.slice(0, 50)) assert.deepEqual(applicationKind.validate(application), []);
  for (const project of recordedProjects()) assert.deepEqual(appProjectKind.validate(project), []);
  assert.equal(new Set(fleet.map(({ metadata }) => metadata.name)).size, fleet.length);
  assert.ok(fleet.every(({ metadata }) => metadata.annotations?.['argocd.argoproj.io/skip-reconcile'] === 'true'));
});

test('a recorded fleet is mostly healthy, and has every status', () => {
  const counts = Map.groupBy(fleet, ({ status }) => status?.health?.status ?? '');
  assert.ok((counts.get('Healthy')?.length ?? 0) > fleet.length * 0.9);
  assert.deepEqual([...counts.keys()].sort(), [
    'Degraded',
    'Healthy',
    'Missing',
    'Progressing',
    'Suspended',
    'Unknown',
  ]);
});

test('the same number has the same status at each start', () => {
  assert.deepEqual(recordedApplication(7, now), recordedApplication(7, now));
  assert.deepEqual(recordedApplication(7, now).status?.health, recordedApplication(7, now + 5).status?.health);
});
