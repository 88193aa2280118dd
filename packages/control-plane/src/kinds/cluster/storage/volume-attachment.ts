import { dns1123Subdomain, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import type { VolumeAttachmentFields, VolumeError } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { csiDriverName } from '../../workloads/pod-spec/volume-sources.ts';
import { immutable } from '../shape.ts';
import { validateVolumeSpec } from './volume-spec.ts';

const maxMetadata = 256 * 1024;

function validateSource(source: NonNullable<VolumeAttachmentFields['spec']>['source'] = {}): FieldError[] {
  const path = 'spec.source';
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const { inlineVolumeSpec, persistentVolumeName } = source;
  if (!inlineVolumeSpec && persistentVolumeName === undefined) return [fieldError.required(path, exactlyOne)];
  if (inlineVolumeSpec && persistentVolumeName !== undefined) return [fieldError.forbidden(path, exactlyOne)];
  if (inlineVolumeSpec) return validateVolumeSpec(inlineVolumeSpec, `${path}.inlineVolumeSpec`, '', true);
  if (persistentVolumeName !== '') return [];
  return [fieldError.required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
}

function validateStatus({ status = {} }: VolumeAttachmentFields): FieldError[] {
  const entries = Object.entries(status.attachmentMetadata ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...(size > maxMetadata ? [fieldError.tooLong('status.attachmentMetadata', maxMetadata)] : []),
    ...(['attachError', 'detachError'] as const).flatMap((field) => validateError(status[field], `status.${field}`)),
  ];
}

function validateError(error: VolumeError | undefined, path: string): FieldError[] {
  const code = error?.errorCode ?? 0;
  return [
    ...(Buffer.byteLength(error?.message ?? '') > 1024 ? [fieldError.tooLong(`${path}.message`, maxMetadata)] : []),
    ...(code < 0 ? [fieldError.invalid(`${path}.errorCode`, code, 'must be between 0 and 2147483647, inclusive')] : []),
  ];
}

export const volumeAttachmentRules: KindRules<VolumeAttachmentFields> = {
  prepareCreate(draft) {
    draft.status = { attached: false };
  },
  validate(draft) {
    const { spec = {} } = draft;
    const { nodeName = '' } = spec;
    const volume = spec.source?.persistentVolumeName;
    return [
      ...csiDriverName(spec.attacher, 'spec.attacher'),
      ...validateSource(spec.source),
      ...invalidEach('spec.nodeName', nodeName, dns1123Subdomain(nodeName)),
      ...validateStatus(draft),
      ...(volume === undefined
        ? []
        : invalidEach('spec.source.persistentVolumeName', volume, dns1123Subdomain(volume))),
    ];
  },
  validateUpdate: (draft, old) => immutable('spec', draft.spec, old.spec),
  validateStatusUpdate: (draft) => validateStatus(draft),
  metadataOnUpdate: ['create'],
};
