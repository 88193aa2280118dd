import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim, Volume } from '../objects.ts';
import { decideReclaim, decideVolume } from './decide-volume.ts';

const volume = (spec: object = {}, annotations: Record<string, string> = {}): Volume =>
  ({ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v', annotations }, spec }) as Volume;
const claim = (uid: string, volumeName?: string, spec: object = {}): Claim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'd', namespace: 'default', uid },
    spec: { ...(volumeName ? { volumeName } : {}), ...spec },
  }) as Claim;
const held = { claimRef: { namespace: 'default', name: 'd', uid: 'd' } };
const made = { 'pv.kubernetes.io/provisioned-by': 'example.com/disk' };

const phases: readonly [string, Volume, Claim | undefined, string][] = [
  ['without a claim is Available', volume(), undefined, 'phase Available'],
  [
    'that is reserved by name is available',
    volume({ claimRef: { namespace: 'default', name: 'd' } }),
    claim('d'),
    'phase Available',
  ],
  ['whose claim has it is bound', volume(held), claim('d', 'v'), 'phase Bound'],
  ['whose claim is deleted is Released', volume(held), undefined, 'release'],
  ['whose claim was recreated is released', volume(held), claim('other', 'v'), 'release'],
  ['whose claim is not bound to it yet enqueues the claim', volume(held), claim('d'), 'enqueue-claim'],
  [
    'of another mode than its claim is reported',
    volume(held),
    claim('d', undefined, { volumeMode: 'Block' }),
    'mismatch',
  ],
  ['whose claim is bound to another is unbound', volume(held), claim('d', 'w'), 'unbind'],
  [
    'provisioned for a claim that is bound to another is Released',
    volume({ ...held, persistentVolumeReclaimPolicy: 'Delete' }, made),
    claim('d', 'w'),
    'release',
  ],
];
for (const [name, given, owner, decision] of phases) {
  test(`a volume ${name}`, () => {
    const decided = decideVolume(given, owner);
    assert.equal(decided.kind === 'phase' ? `phase ${decided.phase}` : decided.kind, decision);
  });
}

const reclaims: readonly [string, Volume, string][] = [
  ['is retained by default', volume(), 'keep'],
  [
    'is left to its provisioner',
    volume({ persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/data' } }, made),
    'keep',
  ],
  ['is left to its driver', volume({ persistentVolumeReclaimPolicy: 'Delete', csi: { driver: 'd' } }), 'keep'],
  [
    'is deleted if that is safe',
    volume({ persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/tmp/x' } }),
    'delete',
  ],
  [
    'fails if it is not',
    volume({ persistentVolumeReclaimPolicy: 'Delete', hostPath: { path: '/x' } }),
    'host_path deleter only supports /tmp/.+ but received provided /x',
  ],
  [
    'fails without a plugin',
    volume({ persistentVolumeReclaimPolicy: 'Delete', nfs: { server: 's', path: '/' } }),
    'error getting deleter volume plugin for volume "v": no deletable volume plugin matched',
  ],
  ['is recycled', volume({ persistentVolumeReclaimPolicy: 'Recycle', nfs: { server: 's', path: '/' } }), 'recycle'],
  [
    'fails if it cannot be recycled',
    volume({ persistentVolumeReclaimPolicy: 'Recycle' }),
    'No recycler plugin found for the volume!',
  ],
];
for (const [name, given, outcome] of reclaims) {
  test(`a released volume ${name}`, () => {
    const reclaim = decideReclaim(given);
    assert.equal(reclaim.kind === 'fail' ? reclaim.event.message : reclaim.kind, outcome);
  });
}
