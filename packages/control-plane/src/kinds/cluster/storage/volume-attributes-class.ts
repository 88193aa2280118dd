import type { KubeObject } from '@fairlead/apimachinery';
import { fieldError } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { same } from '../shape.ts';
import { addFinalizer } from './protection.ts';
import { validateParameters, validateProvisioner } from './storage-class.ts';

interface VolumeAttributesClass extends KubeObject {
  driverName?: string;
  parameters?: Record<string, string>;
}

export const volumeAttributesClassRules: KindRules<VolumeAttributesClass> = {
  admit(draft, old) {
    if (!old) addFinalizer(draft, 'kubernetes.io/vac-protection');
  },
  validate(draft) {
    const { driverName, parameters } = draft;
    const isEmpty = Object.keys(parameters ?? {}).length === 0;
    return [
      ...validateProvisioner(driverName, 'driverName'),
      ...validateParameters(parameters, 'parameters'),
      ...(isEmpty ? [fieldError.required('parameters', 'must contain at least one key/value pair')] : []),
    ];
  },
  validateUpdate: (draft, old) =>
    (['driverName', 'parameters'] as const)
      .filter((field) => !same(draft[field], old[field]))
      .map((field) => fieldError.forbidden(field, `updates to ${field} are forbidden.`)),
  metadataOnUpdate: ['update', 'create'],
};
