import { fieldError } from '@fairlead/apimachinery';
import type { Draft, KindRules } from '../../../resource.ts';
import { fieldsOf, same } from '../shape.ts';
import { addFinalizer } from './protection.ts';
import { validateParameters, validateProvisioner } from './storage-class.ts';

interface VolumeAttributesClass {
  driverName?: string;
  parameters?: Record<string, string>;
}

export const volumeAttributesClassRules: KindRules<Draft> = {
  admit(draft, old) {
    if (!old) addFinalizer(draft, 'kubernetes.io/vac-protection');
  },
  validate(draft) {
    const { driverName, parameters } = fieldsOf<VolumeAttributesClass>(draft);
    const isEmpty = Object.keys(parameters ?? {}).length === 0;
    return [
      ...validateProvisioner(driverName, 'driverName'),
      ...validateParameters(parameters, 'parameters'),
      ...(isEmpty ? [fieldError.required('parameters', 'must contain at least one key/value pair')] : []),
    ];
  },
  validateUpdate: (draft, old) =>
    ['driverName', 'parameters']
      .filter((field) => !same(draft[field], old[field]))
      .map((field) => fieldError.forbidden(field, `updates to ${field} are forbidden.`)),
  metadataOnUpdate: ['update', 'create'],
};
