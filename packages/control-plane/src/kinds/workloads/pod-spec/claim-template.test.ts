import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

const withVolume = (source: object): readonly string[] => problemsOf({ spec: { volumes: [{ name: 'v', ...source }] } });

for (const [title, given, expected] of [
  [
    'no access mode',
    { resources: { requests: { storage: '1Gi' } } },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
    ],
  ],
  [
    'an unknown access mode',
    { accessModes: ['Sometimes'], resources: { requests: { storage: '1Gi' } } },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Sometimes": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    'one pod and many',
    { accessModes: ['ReadWriteOncePod', 'ReadWriteMany'], resources: { requests: { storage: '1Gi' } } },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
    ],
  ],
  [
    'no size',
    { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0' } } },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than zero',
    ],
  ],
  [
    'an unknown mode',
    { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeMode: 'Tape' },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    ],
  ],
  [
    'a snapshot of no group',
    {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'VolumeSnapshot', name: 's' },
    },
    [
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource: Invalid value: "VolumeSnapshot": must be \'PersistentVolumeClaim\' when referencing the default apiGroup',
    ],
  ],
  [
    'a claim to copy',
    {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 's' },
    },
    [],
  ],
  [
    'a source without a name',
    {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: '' },
    },
    ['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource.name: Required value'],
  ],
] as const) {
  test(`a claim template with ${title}`, () =>
    assert.deepEqual(withVolume({ ephemeral: { volumeClaimTemplate: { spec: given } } }), expected));
}
