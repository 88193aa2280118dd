import { int32, int64, list, mapOf, object, oneOf, required, type Schema, string, time } from '../schema.ts';

const quantityPattern =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const quantity: Schema<number | string> = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: quantityPattern,
  'x-kubernetes-int-or-string': true,
};

export const resources = object(
  {
    claims: list(object({ name: required(string()), request: string() }), {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    }),
    limits: mapOf(quantity),
    requests: mapOf(quantity),
  },
  'The resources of a pull Job; requests of 64Mi and 100m and limits of 256Mi and 500m by default.',
);

export const retry = object(
  {
    maxAttempts: int32({ default: 3, description: 'The maximum number of attempts per node.' }),
    backoffSeconds: int32({ default: 30, description: 'The delay before a retry on a node.' }),
  },
  'The retries of a failed pull.',
);

export const timeout = string({ default: '10m', description: 'How long one pull may take, such as 90s or 10m.' });

export const secretNames = (description: string) =>
  list(object({ name: string({ default: '' }) }, { 'x-kubernetes-map-type': 'atomic' }), description);

const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

export const labelSelector = object(
  {
    matchExpressions: list(
      object({
        key: required(string()),
        operator: required(string('In, NotIn, Exists or DoesNotExist.')),
        values: list(string(), atomic),
      }),
      atomic,
    ),
    matchLabels: mapOf(string()),
  },
  { 'x-kubernetes-map-type': 'atomic', description: 'Nodes by their labels; all when empty.' },
);

const typePattern =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

export const conditions = list(
  object({
    type: required(string({ maxLength: 316, pattern: typePattern })),
    status: required(oneOf(['True', 'False', 'Unknown'])),
    reason: required(string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' })),
    message: required(string({ maxLength: 32768 })),
    lastTransitionTime: required(time()),
    observedGeneration: int64({ minimum: 0 }),
  }),
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
);
