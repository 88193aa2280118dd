import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerReference } from '@fairlead/apimachinery';
import { pod, template } from '../../../../test/support/sample-objects.ts';
import type { Claim, Retention, StatefulSet } from '../kinds.ts';
import { plannedOwners } from './claim-owners.ts';

const set = (whenDeleted: Retention, whenScaled: Retention): StatefulSet => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'shop', uid: 'set' },
  spec: {
    replicas: 1,
    selector: {},
    template: template(),
    updateStrategy: { type: 'RollingUpdate' },
    persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
  },
});
const kept = { ...pod({ name: 'db-0' }) };
const scaledAway = { ...pod({ name: 'db-1' }) };
const reference = (kind: string, name: string, uid: string): OwnerReference => ({
  apiVersion: kind === 'Pod' ? 'v1' : 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});
const ofSet = reference('StatefulSet', 'db', 'set');
const ofKept = reference('Pod', 'db-0', 'uid-db-0');
const ofAway = reference('Pod', 'db-1', 'uid-db-1');
const ofOther = reference('Deployment', 'x', 'other');
const claim = (...ownerReferences: OwnerReference[]): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'shop', ...(ownerReferences.length > 0 ? { ownerReferences } : {}) },
});

type Owners = OwnerReference[] | undefined;
const cases: readonly [why: string, [Retention, Retention], Claim, typeof kept, Owners][] = [
  ['always retained', ['Retain', 'Retain'], claim(), kept, undefined],
  ['no longer deleted with the set', ['Retain', 'Retain'], claim(ofSet), kept, []],
  ['deleted with the set', ['Delete', 'Retain'], claim(), kept, [ofSet]],
  ['as it should be', ['Delete', 'Retain'], claim(ofSet), kept, undefined],
  ['deleted with the set also if its pod was scaled down', ['Delete', 'Retain'], claim(), scaledAway, [ofSet]],
  ['deleted with a pod that was scaled down', ['Retain', 'Delete'], claim(), scaledAway, [ofAway]],
  ['not with a pod that remains', ['Retain', 'Delete'], claim(ofKept), kept, []],
  ['from the set to the pod', ['Delete', 'Delete'], claim(ofSet), scaledAway, [ofAway]],
  ['and back', ['Delete', 'Delete'], claim(ofKept), kept, [ofSet]],
  ['another controller is not changed', ['Delete', 'Retain'], claim(ofOther), kept, undefined],
  ['next to another controller ours is removed', ['Delete', 'Retain'], claim(ofOther, ofSet), kept, [ofOther]],
  [
    'references to an earlier set are not changed',
    ['Delete', 'Retain'],
    claim({ ...ofSet, uid: 'before' }),
    kept,
    undefined,
  ],
];

test('the owner of a claim follows the retention policy', () => {
  for (const [why, policy, given, member, expected] of cases) {
    assert.deepEqual(plannedOwners(given, set(...policy), member), expected, why);
  }
});
