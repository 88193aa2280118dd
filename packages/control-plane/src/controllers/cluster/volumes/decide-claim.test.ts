import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim, StorageClass, Volume } from '../objects.ts';
import { type ClaimDecision, type ClaimView, decideClaim } from './decide-claim.ts';

const claim = (spec: object = {}, annotations: Record<string, string> = {}): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'd', namespace: 'default', uid: 'd', annotations },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const volume = (name: string, storage: string, spec: object = {}, more: object = {}): Volume =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
    ...more,
  }) as Volume;
const storageClass = (name: string, provisioner: string, volumeBindingMode = 'Immediate'): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
  volumeBindingMode,
});
interface Given {
  readonly volumes?: readonly Volume[];
  readonly classes?: readonly StorageClass[];
  readonly fallback?: string;
  readonly pods?: readonly string[];
}
const viewOf = ({ volumes = [], classes = [], fallback, pods = [] }: Given): ClaimView => ({
  volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
  volumesOfClass: (name) => volumes.filter(({ spec }) => (spec.storageClassName ?? '') === name),
  volumesFor: ({ metadata }) => volumes.filter(({ spec }) => spec.claimRef?.name === metadata.name),
  storageClass: (name) => classes.find(({ metadata }) => metadata.name === name),
  defaultClass: () => fallback,
  waitingPods: () => pods,
});
const said = (decision: ClaimDecision): string => {
  if (decision.kind === 'bind') return `bind ${decision.volume.metadata.name}`;
  if (decision.kind === 'provision') return `provision ${decision.provisioner}`;
  if (decision.kind === 'take-class') return `take ${decision.name}`;
  const { event } = decision;
  return [decision.kind, ...(event ? [event.type, event.reason, event.message] : [])].join('|');
};
const reserved = (uid?: string) => ({ claimRef: { namespace: 'default', name: 'd', ...(uid ? { uid } : {}) } });
const bound = { 'pv.kubernetes.io/bind-completed': 'yes' };

const table: readonly [string, Claim, Given, string][] = [
  [
    'the smallest sufficient volume is bound',
    claim(),
    { volumes: [volume('huge', '9Gi'), volume('small', '1Mi'), volume('fits', '2Gi')] },
    'bind fits',
  ],
  [
    'a volume with exactly the access modes is preferred to a smaller one with more',
    claim(),
    { volumes: [volume('more', '1Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }), volume('just', '5Gi')] },
    'bind just',
  ],
  [
    'a volume reserved for the claim is preferred, with any class',
    claim(),
    { volumes: [volume('near', '1Gi'), volume('mine', '5Gi', { ...reserved(), storageClassName: 'x' })] },
    'bind mine',
  ],
  [
    'volumes that are claimed, of another mode, without the access mode, not available, or being deleted are skipped',
    claim(),
    {
      volumes: [
        volume('a', '1Gi', { claimRef: { namespace: 'x', name: 'y' } }),
        volume('b', '1Gi', { volumeMode: 'Block' }),
        volume('c', '1Gi', { accessModes: ['ReadOnlyMany'] }),
        volume('d', '1Gi', {}, { status: { phase: 'Released' } }),
        volume('e', '1Gi', {}, { metadata: { name: 'e', deletionTimestamp: 'now' } }),
      ],
    },
    'wait|Normal|FailedBinding|no persistent volumes available for this claim and no storage class is set',
  ],
  [
    'labels may be selected',
    claim({ selector: { matchLabels: { disk: 'ssd' } } }),
    {
      volumes: [volume('hdd', '1Gi'), volume('ssd', '2Gi', {}, { metadata: { name: 'ssd', labels: { disk: 'ssd' } } })],
    },
    'bind ssd',
  ],
  ['without a class the default one is set if there is one', claim(), { fallback: 'standard' }, 'take standard'],
  [
    'the empty class is a class',
    claim({ storageClassName: '' }),
    { fallback: 'standard' },
    'wait|Normal|FailedBinding|no persistent volumes available for this claim and no storage class is set',
  ],
  [
    'a class that is not there is named',
    claim({ storageClassName: 'gone' }),
    {},
    'wait|Warning|ProvisioningFailed|storageclass.storage.k8s.io "gone" not found',
  ],
  [
    'others provision',
    claim({ storageClassName: 'x' }),
    { classes: [storageClass('x', 'example.com/disk')] },
    'provision example.com/disk',
  ],
  [
    'provisioners of old have successors',
    claim({ storageClassName: 'x' }),
    { classes: [storageClass('x', 'kubernetes.io/aws-ebs')] },
    'provision ebs.csi.aws.com',
  ],
  [
    'nobody provisions',
    claim({ storageClassName: 'x' }),
    { classes: [storageClass('x', 'kubernetes.io/no-provisioner')] },
    'wait|Warning|ProvisioningFailed|no volume plugin matched name: kubernetes.io/no-provisioner',
  ],
  [
    'a claim that waits for its consumer is not bound',
    claim({ storageClassName: 'x' }),
    {
      classes: [storageClass('x', 'example.com/disk', 'WaitForFirstConsumer')],
      volumes: [volume('a', '1Gi', { storageClassName: 'x' })],
    },
    'wait|Normal|WaitForFirstConsumer|waiting for first consumer to be created before binding',
  ],
  [
    'it names the pods it waits for',
    claim({ storageClassName: 'x' }),
    { classes: [storageClass('x', 'example.com/disk', 'WaitForFirstConsumer')], pods: ['a', 'b'] },
    'wait|Normal|WaitForPodScheduled|waiting for pods a,b to be scheduled',
  ],
  [
    'once a node is chosen it is provisioned',
    claim({ storageClassName: 'x' }, { 'volume.kubernetes.io/selected-node': 'n' }),
    { classes: [storageClass('x', 'example.com/disk', 'WaitForFirstConsumer')] },
    'provision example.com/disk',
  ],
  ['a requested volume that does not exist is waited for', claim({ volumeName: 'v' }), {}, 'wait'],
  [
    'a requested volume that does not match is refused',
    claim({ volumeName: 'v' }),
    { volumes: [volume('v', '1Mi')] },
    'wait|Warning|VolumeMismatch|Cannot bind to requested volume "v": requested PV is too small',
  ],
  [
    'a requested volume that is available is bound',
    claim({ volumeName: 'v' }),
    { volumes: [volume('v', '1Gi')] },
    'bind v',
  ],
  [
    'a requested volume of another claim is not bound',
    claim({ volumeName: 'v' }),
    { volumes: [volume('v', '1Gi', reserved('someone'))] },
    'wait|Warning|FailedBinding|volume "v" already bound to a different claim.',
  ],
  [
    'a bound claim stays bound',
    claim({ volumeName: 'v' }, bound),
    { volumes: [volume('v', '1Gi', reserved('d'))] },
    'bind v',
  ],
  [
    'a bound claim whose volume is deleted is Lost',
    claim({ volumeName: 'v' }, bound),
    {},
    'lost|Warning|ClaimLost|Bound claim has lost its PersistentVolume. Data on the volume is lost!',
  ],
  [
    'a bound claim whose volume is another’s is lost',
    claim({ volumeName: 'v' }, bound),
    { volumes: [volume('v', '1Gi', reserved('someone'))] },
    'lost|Warning|ClaimMisbound|Two claims are bound to the same volume, this one is bound incorrectly',
  ],
  [
    'a bound claim that names no volume is lost',
    claim({}, bound),
    {},
    'lost|Warning|ClaimLost|Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
  ],
];

for (const [name, given, view, decision] of table) {
  test(name, () => assert.equal(said(decideClaim(given, viewOf(view))), decision));
}
