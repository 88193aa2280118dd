import { type Facets, int64, object, oneOf, required, string, time } from '../schema.ts';

/** The group of the kinds of the multi-tenant service. */
export const gitopsGroup = { group: 'managed-gitops.redhat.com', version: 'v1alpha1', namespaced: true } as const;

const conditionType: Facets = {
  maxLength: 316,
  pattern:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
};

/** A condition as in the built-in kinds of Kubernetes. */
export const condition = object({
  type: required(string(conditionType)),
  status: required(oneOf(['True', 'False', 'Unknown'])),
  reason: required(string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' })),
  message: required(string({ description: 'Why, in one sentence.', maxLength: 32768 })),
  lastTransitionTime: required(time()),
  observedGeneration: int64({ minimum: 0 }),
});
