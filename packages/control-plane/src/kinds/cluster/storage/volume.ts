import { type FieldError, fieldError, formatTime } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { internalDifference, internalForm } from '../../internal-form.ts';
import { nodeLabelWarnings } from '../deprecated-node-labels.ts';
import { immutable, isStatusWrite, same } from '../shape.ts';
import { addFinalizer } from './protection.ts';
import { volumeSources } from './volume-sources.ts';
import { validateVolumeSpec } from './volume-spec.ts';
import type { PersistentVolume, VolumeSpec } from './volume-types.ts';

const mountAnnotation = 'volume.beta.kubernetes.io/mount-options';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

/** Volume types that kubelets no longer support. The second name is that of the field in messages. */
const retired = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

const sourcesOf = (spec: VolumeSpec): Partial<VolumeSpec> =>
  Object.fromEntries(volumeSources.map(([source]) => [source, spec[source]]).filter(([, value]) => value));

function validateMountOptions({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  if (metadata.annotations?.[mountAnnotation] === undefined || mountable.some((source) => spec[source])) return [];
  const detail = 'may not specify mount options for this volume type';
  return [fieldError.forbidden(`metadata.annotations.${mountAnnotation}`, detail)];
}

const validateVolume = (volume: PersistentVolume): FieldError[] =>
  validateVolumeSpec(volume.spec ?? {}, 'spec', volume.metadata.name);

function validateVolumeUpdate(volume: PersistentVolume, old: PersistentVolume): FieldError[] {
  const { spec = {} } = volume;
  const { spec: before = {} } = old;
  const errors = validateVolume(volume);
  const sources = structuredClone(sourcesOf(spec));
  // An expansion secret may be added once.
  if (before.csi && !before.csi.controllerExpandSecretRef && sources.csi) delete sources.csi.controllerExpandSecretRef;
  if (!same(sources, sourcesOf(before))) {
    const difference = internalDifference(sourcesOf(before), sources, 'core.v1.PersistentVolumeSource');
    const detail = `spec.persistentvolumesource is immutable after creation\n${difference}`;
    errors.push(fieldError.forbidden('spec.persistentvolumesource', detail));
  }
  errors.push(...immutable('volumeMode', spec.volumeMode, before.volumeMode));
  if (before.nodeAffinity && !same(withStableLabels(spec.nodeAffinity, before.nodeAffinity), spec.nodeAffinity)) {
    const detail = 'field is immutable, except for updating from beta label to GA';
    const shown = internalForm(spec.nodeAffinity, 'core.v1.VolumeNodeAffinity');
    errors.push(fieldError.invalid('nodeAffinity', shown, detail));
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    const detail = 'update from non-nil value to nil is forbidden';
    errors.push(fieldError.forbidden('spec.volumeAttributesClassName', detail));
  }
  return errors;
}

const stableLabels: Record<string, string> = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

type Affinity = VolumeSpec['nodeAffinity'];

/** The old affinity with each beta label replaced by its stable successor. */
function withStableLabels(next: Affinity, old: Affinity): Affinity {
  const copy = structuredClone(old);
  for (const [at, term] of (copy?.required?.nodeSelectorTerms ?? []).entries()) {
    for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
      const key = next?.required?.nodeSelectorTerms?.[at]?.matchExpressions?.[index]?.key;
      if (key !== undefined && stableLabels[requirement.key ?? ''] === key) requirement.key = key;
    }
  }
  return copy;
}

function volumeWarnings({ metadata, spec = {} }: PersistentVolume): string[] {
  const annotated = (key: string, why: string): string[] =>
    metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${why}`];
  return [
    ...annotated(classAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'),
    ...annotated(mountAnnotation, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeLabelWarnings(
        (term.matchExpressions ?? []).map(({ key = '' }) => key),
        `spec.nodeAffinity.required.nodeSelectorTerms[${index}].matchExpressions`,
      ),
    ),
    ...retired.flatMap(([source, field, why]) => (spec[source] ? [`spec.${field}: ${why}`] : [])),
  ];
}

export const volumeRules: KindRules<PersistentVolume> = {
  prepareCreate(draft, context) {
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(context.clock.now()) };
  },
  prepareUpdate(draft, oldDraft, context) {
    if (context.subresource !== 'status') return;
    const status = (draft.status ??= {});
    const old = oldDraft.status ?? {};
    const untouched = status.lastPhaseTransitionTime === undefined;
    if (status.phase !== old.phase) {
      if (untouched || status.lastPhaseTransitionTime === old.lastPhaseTransitionTime) {
        status.lastPhaseTransitionTime = formatTime(context.clock.now());
      }
    } else if (untouched && old.lastPhaseTransitionTime !== undefined) {
      status.lastPhaseTransitionTime = old.lastPhaseTransitionTime;
    }
  },
  admit(draft, old) {
    if (!old) addFinalizer(draft, 'kubernetes.io/pv-protection');
  },
  validate: (draft) => [...validateVolume(draft), ...validateMountOptions(draft)],
  validateUpdate: (draft, old) => validateVolumeUpdate(draft, old),
  warnings: (draft, old) => (isStatusWrite(draft, old) ? [] : volumeWarnings(draft)),
  metadataOnUpdate: ['create', 'create'],
};
