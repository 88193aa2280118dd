import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application, resource } from '../../../test/support/application.ts';
import { selectObjects } from './select-objects.ts';
import { statusFilter } from './status-filter.ts';

const all = [
  resource('Deployment', 'web'),
  resource('Service', 'web'),
  resource('ConfigMap', 'web', { namespace: 'other' }),
];
const chosen = (...patterns: string[]): string[] =>
  selectObjects(all, patterns).map(({ kind, name }) => `${kind}/${name}`);

test('selects objects by group, kind and name', () => {
  assert.deepEqual(chosen('apps:Deployment:web'), ['Deployment/web']);
  assert.deepEqual(chosen(':Service:demo/web', ':ConfigMap:other/web'), ['Service/web', 'ConfigMap/web']);
  assert.deepEqual(chosen('*:*:web'), ['Deployment/web', 'Service/web', 'ConfigMap/web']);
  assert.deepEqual(chosen('!apps:Deployment:*'), ['Service/web', 'ConfigMap/web']);
});

test('a pattern that matches nothing is an error', () => {
  assert.throws(
    () => chosen('apps:Deployment:wbe'),
    /matches no object of the Application \(did you mean apps:Deployment:web\?\)/,
  );
  assert.throws(() => chosen('Deployment/web'), /use GROUP:KIND:NAME/);
});

test('filters Applications by status', () => {
  const degraded = application({ status: { health: { status: 'Degraded' } } });
  const syncing = application({ operation: { sync: {} } });
  const names = (text: string): boolean[] => [application(), degraded, syncing].map(statusFilter(text));
  assert.deepEqual(names('degraded'), [false, true, false]);
  assert.deepEqual(names('OutOfSync,Syncing'), [false, false, true]);
  assert.deepEqual(names('Healthy'), [true, false, true]);
  assert.throws(() => statusFilter('Degradd'), /invalid --status Degradd \(did you mean Degraded\?\)/);
});
