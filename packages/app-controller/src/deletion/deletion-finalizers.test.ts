import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { isApproved } from './deletion-approval.ts';
import { finalizersFor, isBackground, stageOf } from './deletion-finalizers.ts';

const application = (finalizers: readonly string[], annotations: Record<string, string> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd', finalizers: [...finalizers], annotations },
  spec: { project: 'default', destination: {} },
});
const hook = (kind: string): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', annotations: { 'argocd.argoproj.io/hook': kind } },
});
const resources = 'resources-finalizer.argocd.argoproj.io';
const pre = 'pre-delete-finalizer.argocd.argoproj.io';
const post = 'post-delete-finalizer.argocd.argoproj.io';

test('stages run in order, regardless of the order of the finalizers', () => {
  const held = [`${post}/cleanup`, `${pre}/cleanup`, post, `${resources}/background`, pre, 'example.com/other'];
  const order: (string | undefined)[] = [];
  for (let left = held; ; ) {
    const stage = stageOf(application(left));
    order.push(stage);
    if (!stage) break;
    const done: Record<string, string> = {
      preDelete: pre,
      resources: `${resources}/background`,
      postDelete: post,
      preDeleteCleanup: `${pre}/cleanup`,
      postDeleteCleanup: `${post}/cleanup`,
    };
    left = left.filter((name) => name !== done[stage]);
  }
  assert.deepEqual(order, ['preDelete', 'resources', 'postDelete', 'preDeleteCleanup', 'postDeleteCleanup', undefined]);
});

test('deletion hooks add a finalizer, which is removed when the hooks leave the source', () => {
  const own = [resources, 'example.com/other'];
  assert.equal(finalizersFor(application(own), [hook('PreSync')]), undefined);
  const held = [...own, pre, `${pre}/cleanup`];
  assert.deepEqual(finalizersFor(application(own), [hook('PreDelete')]), held);
  assert.equal(finalizersFor(application(held), [hook('PreDelete')]), undefined, 'nothing to write');
  assert.deepEqual(finalizersFor(application(held), [hook('PostDelete')]), [...own, post, `${post}/cleanup`]);
  assert.deepEqual(finalizersFor(application(held), []), own);
});

test('propagation is foreground unless the finalizer specifies background', () => {
  assert.ok(isBackground(application([`${resources}/background`])));
  assert.ok(!isBackground(application([resources])));
  assert.ok(!isBackground(application([`${resources}/foreground`])));
});

test('an approval must not be older than the deletion', () => {
  const since = Date.parse('2026-01-01T10:00:00Z');
  const approved = (text: string) =>
    isApproved(application([], { 'argocd.argoproj.io/deletion-approved': text }), since);
  assert.ok(approved('2026-01-01T10:00:00Z'));
  assert.ok(approved('2026-01-01T12:00:00+01:00'));
  assert.ok(!approved('2026-01-01T09:59:59Z'), 'an older one was for something else');
  for (const text of ['', 'true', 'yes', '2026']) assert.ok(!approved(text), text);
});
