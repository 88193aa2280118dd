import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, templateOf, update } from '../../../../test/support/workload-harness.ts';

const claim = (spec: object = {}): object => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const statefulSet = (spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: { selector: { matchLabels: { app: 'web' } }, serviceName: 'db', template: templateOf(), ...spec },
});

test('defaults of a StatefulSet', () => {
  const { spec, status } = create(statefulSet({ volumeClaimTemplates: [claim()] })).object;
  const { template: _, selector: __, ...rest } = spec;
  assert.deepEqual(rest, {
    replicas: 1,
    serviceName: 'db',
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    volumeClaimTemplates: [
      {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        ...claim({ volumeMode: 'Filesystem' }),
        status: { phase: 'Pending' },
      },
    ],
  });
  assert.deepEqual(status, { replicas: 0, availableReplicas: 0 });
});

for (const [title, given, expected] of [
  [
    'no selector',
    { selector: null },
    [
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'an unknown policy',
    { podManagementPolicy: 'Random' },
    ["spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'"],
  ],
  [
    'an unknown strategy',
    { updateStrategy: { type: 'Blue' } },
    [
      'spec.updateStrategy: Invalid value: {"Type":"Blue","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
    ],
  ],
  [
    'numbers for a strategy without',
    { updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    [
      'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
  ],
  [
    'a negative partition',
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } },
    ['spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'an unknown retention policy of claims',
    { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Archive' } },
    [
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Archive": supported values: "Retain", "Delete"',
    ],
  ],
  [
    'a negative first number',
    { ordinals: { start: -1 } },
    ['spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['a bad service', { serviceName: 'a.b' }, ['spec.serviceName: Invalid value: "a.b": must not contain dots']],
  [
    'an empty claim',
    { volumeClaimTemplates: [claim({ resources: {} })] },
    ['spec.volumeClaimTemplates[0].spec.resources[storage]: Required value'],
  ],
  [
    'a mount of its claim',
    {
      volumeClaimTemplates: [claim()],
      template: templateOf({ container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] } }),
    },
    [],
  ],
  [
    'a mount without a volume',
    { template: templateOf({ container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] } }) },
    ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'],
  ],
  [
    'pods that end',
    { template: templateOf({ spec: { restartPolicy: 'Never' } }) },
    ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  ],
] as const) {
  test(`a StatefulSet with ${title}`, () => assert.deepEqual(create(statefulSet(given)).problems, expected));
}

const fixed =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

for (const [field, value, expected] of [
  ['replicas', 3, []],
  ['minReadySeconds', 5, []],
  ['template', templateOf({ container: { image: 'other' } }), []],
  ['serviceName', 'other', [fixed]],
  ['podManagementPolicy', 'Parallel', [fixed]],
  ['volumeClaimTemplates', [claim()], [fixed]],
] as const) {
  test(`${field} of a StatefulSet ${expected.length > 0 ? 'is immutable' : 'may change'}`, () => {
    const { object } = create(statefulSet());
    assert.deepEqual(update(object, ({ spec }) => Object.assign(spec, { [field]: value })).problems, expected);
  });
}

test('an unlimited history gives a warning', () => {
  assert.deepEqual(create(statefulSet({ revisionHistoryLimit: -1 })).warnings, [
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
  ]);
});
