import type { KubeObject } from '@fairlead/apimachinery';
import { dns1123Label, type FieldError, fieldError, invalidEach, validateLabels } from '@fairlead/apimachinery';
import type { KindRules } from '../../resource.ts';
import { requirements } from '../workloads/pod-spec/resources.ts';
import { tolerations } from '../workloads/pod-spec/tolerations.ts';
import type { Toleration } from '../workloads/pod-spec/types.ts';
import { deprecatedNodeLabel } from './deprecated-node-labels.ts';
import type { ResourceList } from './quantity.ts';
import { immutable, same } from './shape.ts';

interface RuntimeClass extends KubeObject {
  handler?: string;
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

function duplicates(list: readonly Toleration[], path: string): FieldError[] {
  const identity = ({ key = '', operator = '', value = '', effect = '' }: Toleration) => ({
    key,
    operator,
    value,
    effect,
  });
  return list.flatMap((toleration, index) =>
    list.slice(0, index).some((other) => same(identity(other), identity(toleration)))
      ? [fieldError.duplicate(`${path}[${index}]`, toleration)]
      : [],
  );
}

export const runtimeClassRules: KindRules<RuntimeClass> = {
  anyFinalizer: true,
  validate(draft) {
    const { handler = '', overhead, scheduling } = draft;
    const tolerated = scheduling?.tolerations ?? [];
    return [
      ...(handler ? invalidEach('handler', handler, dns1123Label(handler)) : [fieldError.required('handler')]),
      ...(overhead ? requirements({ limits: overhead.podFixed ?? {} }, 'overhead', { names: [] }, {}) : []),
      ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
      ...tolerations(tolerated, 'scheduling.tolerations', {}),
      ...duplicates(tolerated, 'scheduling.tolerations'),
    ];
  },
  validateUpdate: (draft, old) => immutable('handler', draft.handler ?? '', old.handler ?? ''),
  warnings: (draft) =>
    Object.keys(draft.scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const why = deprecatedNodeLabel(key);
      return why ? [`scheduling.nodeSelector: ${why}`] : [];
    }),
  metadataOnUpdate: ['create', 'update'],
};
