import type { KubeObject } from '@fairlead/apimachinery';
import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { KindRules } from '../../resource.ts';

interface LeaseSpec {
  leaseDurationSeconds?: number;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}

interface LeaseFields extends KubeObject {
  spec?: LeaseSpec;
}

const specOf = (draft: LeaseFields): LeaseSpec => draft.spec ?? {};

/** Coordinated leader election is off by default: its fields are rejected. */
function dropCoordination(draft: LeaseFields, old: LeaseSpec): void {
  const spec = (draft.spec ??= {});
  for (const field of ['strategy', 'preferredHolder'] as const) if (old[field] === undefined) delete spec[field];
}

const leaseRules: KindRules<LeaseFields> = {
  prepareCreate: (draft) => dropCoordination(draft, {}),
  prepareUpdate: (draft, old) => dropCoordination(draft, specOf(old)),
  validate(draft) {
    const { leaseDurationSeconds: duration, leaseTransitions: transitions } = specOf(draft);
    const errors: FieldError[] = [];
    if (duration !== undefined && duration <= 0) {
      errors.push(fieldError.invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
    }
    if (transitions !== undefined && transitions < 0) {
      errors.push(fieldError.invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
    }
    return errors;
  },
  anyFinalizer: true,
};

export const coordinationRules: Readonly<Record<string, KindRules>> = {
  'coordination.k8s.io/v1/Lease': leaseRules,
};
