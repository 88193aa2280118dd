import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application, ApplicationSet } from '@fairlead/api';
import { confirmDeletionAnnotation, heldDeletions } from './deletion-brake.ts';

const applications = (count: number): Application[] =>
  Array.from({ length: count }, (_, i) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: `a-${i}` },
    spec: { project: 'default', destination: {} },
  }));

const set = (annotations: Record<string, string> = {}): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'fleet', namespace: 'argocd', annotations },
  spec: {
    generators: [],
    template: { metadata: {}, spec: { project: 'default', destination: {} } },
  },
});

test('a few deletions, and a small share, are always allowed', () => {
  assert.equal(heldDeletions(set(), applications(10), 10, 50), undefined);
  assert.equal(heldDeletions(set(), applications(50), 100, 50), undefined);
  assert.equal(heldDeletions(set(), applications(100), 100, 100), undefined);
});

test('a mass deletion is held until exactly these deletions are confirmed', () => {
  const held = heldDeletions(set(), applications(60), 100, 50) ?? '';
  assert.match(held, /60 of 100 Applications would be deleted, which is more than 50%/u);
  const token = /confirm-deletion=(\w+)/u.exec(held)?.[1] ?? '';
  const confirmed = set({ [confirmDeletionAnnotation]: token });
  assert.equal(heldDeletions(confirmed, applications(60), 100, 50), undefined);
  assert.notEqual(heldDeletions(confirmed, applications(61), 100, 50), undefined);
});
