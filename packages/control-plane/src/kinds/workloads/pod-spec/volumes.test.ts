import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../../../../test/support/workload-harness.ts';

const withVolume = (source: object): readonly string[] => problemsOf({ spec: { volumes: [{ name: 'v', ...source }] } });

for (const [title, given, expected] of [
  [
    'two sources',
    { emptyDir: {}, secret: { secretName: 's' } },
    ['spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    'a negative limit',
    { emptyDir: { sizeLimit: '-1' } },
    ['spec.volumes[0].emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity'],
  ],
  ['no host path', { hostPath: { path: '' } }, ['spec.volumes[0].hostPath.path: Required value']],
  [
    'a host path that climbs',
    { hostPath: { path: '/a/../b' } },
    ['spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\''],
  ],
  [
    'an unknown type of host path',
    { hostPath: { path: '/a', type: 'Pipe' } },
    [
      'spec.volumes[0].hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
    ],
  ],
  ['a secret without a name', { secret: {} }, ['spec.volumes[0].secret.secretName: Required value']],
  [
    'a mode out of range',
    { secret: { secretName: 's', defaultMode: 512 } },
    [
      'spec.volumes[0].secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
    ],
  ],
  [
    'an item without key and path',
    { configMap: { name: 'c', items: [{ key: '', path: '' }] } },
    [
      'spec.volumes[0].configMap.items[0].key: Required value',
      'spec.volumes[0].configMap.items[0].path: Required value',
    ],
  ],
  [
    'an item that climbs',
    { configMap: { name: 'c', items: [{ key: 'k', path: '../k' }] } },
    ['spec.volumes[0].configMap.items[0].path: Invalid value: "../k": must not contain \'..\''],
  ],
  [
    'an item at the root',
    { configMap: { name: 'c', items: [{ key: 'k', path: '/k' }] } },
    ['spec.volumes[0].configMap.items[0].path: Invalid value: "/k": must be a relative path'],
  ],
  [
    'a claim without a name',
    { persistentVolumeClaim: { claimName: '' } },
    ['spec.volumes[0].persistentVolumeClaim.claimName: Required value'],
  ],
  [
    'a share of no server',
    { nfs: { path: 'data' } },
    [
      'spec.volumes[0].nfs.server: Required value',
      'spec.volumes[0].nfs.path: Invalid value: "data": must be an absolute path',
    ],
  ],
  [
    'a field and a resource',
    {
      downwardAPI: {
        items: [
          {
            path: 'p',
            fieldRef: { fieldPath: 'metadata.name' },
            resourceFieldRef: { containerName: 'main', resource: 'limits.cpu' },
          },
        ],
      },
    },
    [
      'spec.volumes[0].downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously',
    ],
  ],
  [
    'a resource of no container',
    { downwardAPI: { items: [{ path: 'p', resourceFieldRef: { resource: 'limits.cpu' } }] } },
    ['spec.volumes[0].downwardAPI.resourceFieldRef.containerName: Required value'],
  ],
  [
    'neither field nor resource',
    { downwardAPI: { items: [{ path: 'p' }] } },
    ['spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required'],
  ],
  [
    'a token of no account',
    { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    [
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  ],
  [
    'a short token',
    { projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 60 } }] } },
    [
      'spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ],
  ],
  [
    'two sources in one projection',
    { projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'c' } }] } },
    ['spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source'],
  ],
  [
    'two files at one path',
    {
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
          { configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        ],
      },
    },
    ['spec.volumes[0].projected: Invalid value: "c": conflicting duplicate paths'],
  ],
  ['a driver without a name', { csi: { driver: '' } }, ['spec.volumes[0].csi.driver: Required value']],
  ['an empty claim template', { ephemeral: {} }, ['spec.volumes[0].ephemeral.volumeClaimTemplate: Required value']],
  [
    'a claim to be of no size',
    { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
    ['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value'],
  ],
  ['an image without a reference', { image: {} }, ['spec.volumes[0].image.reference: Required value']],
  [
    'an invalid name and unit',
    { iscsi: { targetPortal: 'p', iqn: 'x', lun: 256 } },
    [
      'spec.volumes[0].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      'spec.volumes[0].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    ],
  ],
  [
    'names and ids of a fibre channel',
    { fc: { targetWWNs: ['a'], wwids: ['b'] } },
    [
      'spec.volumes[0].fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
      'spec.volumes[0].fc.lun: Required value: lun is required if targetWWNs is specified',
    ],
  ],
  [
    'no dataset',
    { flocker: {} },
    ['spec.volumes[0].flocker: Required value: one of datasetName and datasetUUID is required'],
  ],
  [
    'options of the system',
    { flexVolume: { driver: 'd', options: { 'kubernetes.io/x': 'y' } } },
    [
      'spec.volumes[0].flexVolume.options[kubernetes.io/x]: Invalid value: "kubernetes.io/x": kubernetes.io and k8s.io namespaces are reserved',
    ],
  ],
  [
    'a registry that is no pair',
    { quobyte: { registry: 'host', volume: 'v' } },
    [
      'spec.volumes[0].quobyte.registry: Invalid value: "host": must be a host:port pair or multiple pairs separated by commas',
    ],
  ],
  [
    'a managed disk elsewhere',
    { azureDisk: { diskName: 'd', diskURI: 'https://x', kind: 'Managed' } },
    [
      'spec.volumes[0].azureDisk.diskURI: Unsupported value: "https://x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
    ],
  ],
] as const) {
  test(`a volume with ${title}`, () => assert.deepEqual(withVolume(given), expected));
}

for (const [title, given, expected] of [
  ['a directory', { hostPath: { path: '/a', type: 'Directory' } }, []],
  ['names of a fibre channel', { fc: { targetWWNs: ['a'], lun: 1 } }, []],
  ['ids of a fibre channel', { fc: { wwids: ['a'] } }, []],
  ['a dataset', { flocker: { datasetUUID: 'a' } }, []],
  ['an iscsi target', { iscsi: { targetPortal: 'p', iqn: 'iqn.2015-02.example.com:test', lun: 0 } }, []],
  ['registries', { quobyte: { registry: 'a:1,b:2', volume: 'v' } }, []],
  ['a managed disk', { azureDisk: { diskName: 'd', diskURI: '/subscriptions/x', kind: 'Managed' } }, []],
  ['a driver', { csi: { driver: 'a.example', nodePublishSecretRef: { name: 's' } } }, []],
  ['options', { flexVolume: { driver: 'd', options: { 'example.com/x': 'y' } } }, []],
  ['a disk', { gcePersistentDisk: { pdName: 'd', partition: 1 } }, []],
  [
    'a claim to be',
    {
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      },
    },
    [],
  ],
  [
    'files',
    {
      projected: {
        sources: [
          { secret: { name: 's', items: [{ key: 'a', path: 'x' }] } },
          { downwardAPI: { items: [{ path: 'y', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        ],
      },
    },
    [],
  ],
] as const) {
  test(`a volume of ${title} is valid`, () => assert.deepEqual(withVolume(given), expected));
}

for (const [title, given, expected] of [
  [
    'a driver of a long name',
    { csi: { driver: 'a'.repeat(64) } },
    ['spec.volumes[0].csi.driver: Too long: may not be more than 63 bytes'],
  ],
  [
    'a secret without a name',
    { csi: { driver: 'a.example', nodePublishSecretRef: {} } },
    ['spec.volumes[0].csi.nodePublishSecretRef.name: Required value'],
  ],
  [
    'an initiator of another form',
    { iscsi: { targetPortal: 'p', iqn: 'iqn.2015-02.example.com:test', lun: 0, initiatorName: 'x' } },
    ['spec.volumes[0].iscsi.initiatorname: Invalid value: "x": must be valid format starting with iqn, eui, or naa'],
  ],
  [
    'a partition out of range',
    { gcePersistentDisk: { pdName: 'd', partition: 256 } },
    ['spec.volumes[0].persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive'],
  ],
  ['an incomplete share', { azureFile: { secretName: 's' } }, ['spec.volumes[0].azureFile.shareName: Required value']],
] as const) {
  test(`a volume with ${title} is invalid`, () => assert.deepEqual(withVolume(given), expected));
}

test('volume names are unique', () => {
  assert.deepEqual(problemsOf({ spec: { volumes: [{ name: 'v' }, { name: 'v' }, { name: '' }] } }), [
    'spec.volumes[1].name: Duplicate value: "v"',
    'spec.volumes[2].name: Required value',
  ]);
});

test('the name of a generated claim cannot be used by other volumes', () => {
  const resources = { requests: { storage: '1Gi' } };
  const volumes = [
    { name: 'v', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources } } } },
    { name: 'w', persistentVolumeClaim: { claimName: 'web-v' } },
  ];
  assert.deepEqual(problemsOf({ spec: { volumes } }), [
    'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-v": must not reference a PVC that gets created for an ephemeral volume',
  ]);
});
