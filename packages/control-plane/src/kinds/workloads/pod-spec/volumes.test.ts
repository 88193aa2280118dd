import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from '../trial.ts';

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
  ['a claim to be of nothing', { ephemeral: {} }, ['spec.volumes[0].ephemeral.volumeClaimTemplate: Required value']],
  [
    'a claim to be of no size',
    { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } },
    ['spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value'],
  ],
  ['an image without a reference', { image: {} }, ['spec.volumes[0].image.reference: Required value']],
  [
    'a name and a unit that are none',
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

test('volumes have names of their own', () => {
  assert.deepEqual(problemsOf({ spec: { volumes: [{ name: 'v' }, { name: 'v' }, { name: '' }] } }), [
    'spec.volumes[1].name: Duplicate value: "v"',
    'spec.volumes[2].name: Required value',
  ]);
});

for (const [title, given, expected] of [
  [
    'a volume that is not there',
    [{ name: 'w', mountPath: '/w' }],
    ['spec.containers[0].volumeMounts[0].name: Not found: "w"'],
  ],
  ['no path', [{ name: 'v', mountPath: '' }], ['spec.containers[0].volumeMounts[0].mountPath: Required value']],
  [
    'two at one path',
    [
      { name: 'v', mountPath: '/v' },
      { name: 'v', mountPath: '/v' },
    ],
    ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/v": must be unique'],
  ],
  [
    'a path below that climbs',
    [{ name: 'v', mountPath: '/v', subPath: '../x' }],
    ['spec.containers[0].volumeMounts.subPath: Invalid value: "../x": must not contain \'..\''],
  ],
  [
    'two ways to say which part',
    [{ name: 'v', mountPath: '/v', subPath: 'x', subPathExpr: '$(X)' }],
    [
      'spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "$(X)": subPathExpr and subPath are mutually exclusive',
    ],
  ],
  [
    'propagation that is unknown',
    [{ name: 'v', mountPath: '/v', mountPropagation: 'Up' }],
    [
      'spec.containers[0].volumeMounts.mountPropagation: Unsupported value: "Up": supported values: "Bidirectional", "HostToContainer", "None"',
    ],
  ],
  [
    'propagation to the host',
    [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }],
    [
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
    ],
  ],
  [
    'strict reading of what is written',
    [{ name: 'v', mountPath: '/v', recursiveReadOnly: 'Enabled' }],
    ['spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true'],
  ],
] as const) {
  test(`mounting ${title}`, () =>
    assert.deepEqual(problemsOf({ container: { volumeMounts: given }, spec: { volumes: [{ name: 'v' }] } }), expected));
}

test('a device is of a claim, and mounted once', () => {
  const volumes = [{ name: 'v' }, { name: 'c', persistentVolumeClaim: { claimName: 'c' } }];
  const volumeDevices = [
    { name: 'v', devicePath: '/dev/v' },
    { name: 'c', devicePath: '/dev/c' },
  ];
  const volumeMounts = [{ name: 'c', mountPath: '/c' }];
  assert.deepEqual(problemsOf({ container: { volumeDevices, volumeMounts }, spec: { volumes } }), [
    'spec.containers[0].volumeMounts[0].name: Invalid value: "c": must not already exist in volumeDevices',
    'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    'spec.containers[0].volumeDevices[1].name: Invalid value: "c": must not already exist in volumeMounts',
  ]);
});
