import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { CsiDriverFields, CsiDriverSpec } from '@fairlead/apimachinery/fields';
import type { KindRules } from '../../../resource.ts';
import { immutable, same, unknownValue } from '../shape.ts';

const specOf = (draft: CsiDriverFields): CsiDriverSpec => draft.spec ?? {};

function validateSpec(spec: CsiDriverSpec): FieldError[] {
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  const inSecrets = spec.serviceAccountTokenInSecrets;
  return [
    ...unknownValue('spec.fsGroupPolicy', spec.fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType']),
    ...validateTokenRequests(spec.tokenRequests ?? []),
    ...(spec.volumeLifecycleModes ?? []).flatMap((mode) =>
      unknownValue('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']),
    ),
    ...(period !== undefined && period < 10
      ? [
          fieldError.invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(inSecrets !== undefined && !spec.tokenRequests?.length
      ? [
          fieldError.invalid(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

function validateTokenRequests(requests: readonly NonNullable<CsiDriverSpec['tokenRequests']>[number][]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) return [fieldError.duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    if (seconds === undefined) return [];
    const field = `${path}.expirationSeconds`;
    return [
      ...(seconds < 600 ? [fieldError.invalid(field, seconds, 'may not specify a duration less than 10 minutes')] : []),
      ...(seconds > 2 ** 32
        ? [fieldError.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
        : []),
    ];
  });
}

export const csiDriverRules: KindRules<CsiDriverFields> = {
  prepareCreate(draft) {
    delete (draft.spec ??= {}).preventPodSchedulingIfMissing;
    // The only kind with a generation that does not start at 1.
    delete draft.metadata.generation;
  },
  prepareUpdate(draft, old) {
    if (specOf(old).preventPodSchedulingIfMissing === undefined) {
      delete (draft.spec ??= {}).preventPodSchedulingIfMissing;
    }
  },
  validate: (draft) => validateSpec(specOf(draft)),
  validateUpdate(draft, old) {
    const [spec, before] = [specOf(draft), specOf(old)];
    return [
      ...immutable('spec.attachedRequired', spec.attachRequired, before.attachRequired),
      ...immutable('spec.volumeLifecycleModes', spec.volumeLifecycleModes, before.volumeLifecycleModes),
    ];
  },
  warnings(draft, old) {
    const { tokenRequests, serviceAccountTokenInSecrets } = specOf(draft);
    if (!tokenRequests?.length || serviceAccountTokenInSecrets !== undefined) return [];
    if (old && same(tokenRequests, specOf(old).tokenRequests)) return [];
    return [
      'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
    ];
  },
};
