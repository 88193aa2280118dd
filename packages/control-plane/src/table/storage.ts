import { orNone, tableOf } from './columns.ts';

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const modesText = (modes: readonly string[] | undefined): string =>
  Object.keys(shortModes)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => shortModes[mode])
    .join(',');

const betaClass = 'volume.beta.kubernetes.io/storage-class';

export const volumes = tableOf<{
  spec?: {
    capacity?: { storage?: string };
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    claimRef?: { namespace?: string; name?: string };
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; reason?: string };
}>(
  'Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode*',
  ({ spec = {}, status = {}, metadata }) => [
    spec.capacity?.storage ?? '0',
    modesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
    spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    metadata.annotations?.[betaClass] ?? spec.storageClassName ?? '',
    spec.volumeAttributesClassName ?? '<unset>',
    status.reason ?? '',
    spec.volumeMode ?? '<unset>',
  ],
);

export const claims = tableOf<{
  spec?: { volumeName?: string; storageClassName?: string; volumeAttributesClassName?: string; volumeMode?: string };
  status?: { phase?: string; accessModes?: string[]; capacity?: { storage?: string } };
}>(
  'Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode*',
  ({ spec = {}, status = {}, metadata }) => [
    metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
    spec.volumeName ?? '',
    spec.volumeName ? (status.capacity?.storage ?? '0') : '',
    spec.volumeName ? modesText(status.accessModes) : '',
    metadata.annotations?.[betaClass] ?? spec.storageClassName ?? '',
    spec.volumeAttributesClassName ?? '<unset>',
    spec.volumeMode ?? '<unset>',
  ],
);

const defaultClass = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClasses = tableOf<{
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}>('Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age', (object) => {
  const isDefault = defaultClass.some((key) => object.metadata.annotations?.[key] === 'true');
  return [
    isDefault ? `${object.metadata.name} (default)` : object.metadata.name,
    object.provisioner ?? '',
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
  ];
});

export const volumeAttachments = tableOf<{
  spec?: { attacher?: string; nodeName?: string; source?: { persistentVolumeName?: string } };
  status?: { attached?: boolean };
}>('Name, Attacher, PV, Node, Attached:boolean, Age', ({ spec = {}, status }) => [
  spec.attacher ?? '',
  spec.source?.persistentVolumeName ?? '',
  spec.nodeName ?? '',
  status?.attached ?? false,
]);

export const csiNodes = tableOf<{ spec?: { drivers?: unknown[] } }>('Name, Drivers:integer, Age', ({ spec }) => [
  (spec?.drivers ?? []).length,
]);

export const csiDrivers = tableOf<{
  spec?: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    storageCapacity?: boolean;
    tokenRequests?: { audience?: string }[];
    requiresRepublish?: boolean;
    volumeLifecycleModes?: string[];
  };
}>(
  'Name, AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean, TokenRequests, RequiresRepublish:boolean, Modes, Age',
  ({ spec = {} }) => [
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests ? spec.tokenRequests.map(({ audience }) => audience ?? '').join(',') : '<unset>',
    spec.requiresRepublish ?? false,
    orNone((spec.volumeLifecycleModes ?? []).join(',')),
  ],
);

export const volumeAttributesClasses = tableOf<{ driverName?: string }>('Name, DriverName, Age', ({ driverName }) => [
  driverName ?? '',
]);
