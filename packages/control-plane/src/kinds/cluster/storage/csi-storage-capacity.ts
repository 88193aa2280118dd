import type { KubeObject } from '@fairlead/apimachinery';
import {
  dns1123Subdomain,
  fieldError,
  invalidEach,
  type LabelSelector,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { deprecatedNodeLabel, nodeLabelWarnings } from '../deprecated-node-labels.ts';
import { isNegative } from '../quantity.ts';
import { immutable } from '../shape.ts';

interface StorageCapacity extends KubeObject {
  nodeTopology?: LabelSelector;
  storageClassName?: string;
  capacity?: string;
}

export const csiStorageCapacityRules: KindRules<StorageCapacity> = {
  validate(draft) {
    const { nodeTopology, storageClassName = '', capacity = '0' } = draft;
    return [
      ...validateLabelSelector(nodeTopology, 'nodeTopology'),
      ...invalidEach('storageClassName', storageClassName, dns1123Subdomain(storageClassName)),
      ...(isNegative(capacity) ? [fieldError.invalid('capacity', capacity, 'must be greater than or equal to 0')] : []),
    ];
  },
  validateUpdate: (draft, old) =>
    (['nodeTopology', 'storageClassName'] as const).flatMap((field) => immutable(field, draft[field], old[field])),
  warnings(draft) {
    const { nodeTopology = {} } = draft;
    const keys = (nodeTopology.matchExpressions ?? []).map(({ key = '' }) => key);
    const labels = Object.keys(nodeTopology.matchLabels ?? {}).filter((key) => deprecatedNodeLabel(key));
    return [
      ...nodeLabelWarnings(keys, 'nodeTopology.matchExpressions'),
      ...labels.map((key) => `nodeTopology.matchLabels.${key}: ${deprecatedNodeLabel(key)}`),
    ];
  },
};
