import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Application } from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import { resourceIdOf } from '@fairlead/engine';
import { isNamespaceMetadataChanged, managedNamespace, withManagedNamespace } from './managed-namespace.ts';
import type { Targets } from './targets.ts';

type Metadata = NonNullable<Application['spec']['syncPolicy']>['managedNamespaceMetadata'];
const application = (managed?: Metadata, synced?: Metadata): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'default',
    destination: { namespace: 'web' },
    syncPolicy: managed ? { managedNamespaceMetadata: managed } : {},
  },
  ...(synced
    ? {
        status: {
          operationState: {
            operation: {},
            phase: 'Succeeded',
            startedAt: '',
            syncResult: { revision: '', managedNamespaceMetadata: synced },
          },
        },
      }
    : {}),
});
const live: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } };
const none: Targets = { targets: [], hooks: [], withheld: new Set(), conditions: [] };
const blue = { labels: { team: 'blue' } };

test('the namespace that is applied has the managed labels and uses server-side apply', () => {
  assert.deepEqual(managedNamespace(application(blue))?.metadata, {
    name: 'web',
    labels: { team: 'blue' },
    annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true' },
  });
  assert.equal(managedNamespace(application()), undefined);
});

test('a live namespace with the tracking id of the Application is a target, and is not pruned', () => {
  const { targets } = withManagedNamespace(none, [live], application(blue));
  assert.deepEqual(
    targets.map(({ object }) => object),
    [managedNamespace(application(blue))],
  );
  assert.equal(withManagedNamespace(none, [], application(blue)), none, 'without the mark it is not listed');
  assert.equal(withManagedNamespace(none, [live], application()), none, 'without managed labels it is extraneous');
  const inSource = { ...none, targets: [{ id: resourceIdOf(live), object: live }] };
  assert.equal(withManagedNamespace(inSource, [live], application(blue)), inSource, 'the source takes precedence');
});

test('managed namespace metadata that differs from the last sync is detected', () => {
  assert.ok(isNamespaceMetadataChanged(application({ labels: { team: 'green' } }, blue)));
  assert.ok(!isNamespaceMetadataChanged(application(blue, blue)));
  assert.ok(!isNamespaceMetadataChanged(application(blue)));
});
