import type { KubeObject } from '@fairlead/apimachinery';
import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { type FlowStatus, validateFlowConditions } from './flow-schema.ts';

interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

interface LevelSpec {
  type?: string;
  limited?: {
    nominalConcurrencyShares?: number;
    lendablePercent?: number;
    borrowingLimitPercent?: number;
    limitResponse?: { type?: string; queuing?: Queuing };
  };
  exempt?: { nominalConcurrencyShares?: number; lendablePercent?: number };
}

interface PriorityLevelFields extends KubeObject {
  spec?: LevelSpec;
  status?: FlowStatus;
}

const maxQueues = 10_000_000;
const hashBits = 60;
const preserveZero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function validateLevel(name: string, spec: LevelSpec): FieldError[] {
  const { type = '' } = spec;
  const errors: FieldError[] = [];
  if ((name === 'exempt') !== (type === 'Exempt')) {
    errors.push(fieldError.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (spec.limited) errors.push(fieldError.forbidden('spec.limited', 'must be nil if the type is not Limited'));
    return [...errors, ...(spec.exempt ? validateShares(spec.exempt, 'spec.exempt') : [])];
  }
  if (type === 'Limited') {
    if (spec.exempt) errors.push(fieldError.forbidden('spec.exempt', 'must be nil if the type is Limited'));
    if (!spec.limited)
      return [...errors, fieldError.required('spec.limited', 'must not be empty when type is Limited')];
    return [...errors, ...validateLimited(spec.limited, 'spec.limited')];
  }
  if (type === '') return [...errors, fieldError.required('spec.type')];
  return [...errors, fieldError.notSupportedInOrder('spec.type', type, ['Exempt', 'Limited'])];
}

interface Shares {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}

function validateShares({ nominalConcurrencyShares: shares = 0, lendablePercent: lent = 0 }: Shares, path: string) {
  return [
    ...(shares < 0
      ? [fieldError.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...(lent < 0 || lent > 100
      ? [fieldError.invalid(`${path}.lendablePercent`, lent, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

function validateLimited(limited: NonNullable<LevelSpec['limited']>, path: string): FieldError[] {
  const { borrowingLimitPercent: borrowed = 0, limitResponse = {} } = limited;
  const [shares, lent] = [
    validateShares({ ...limited, lendablePercent: 0 }, path),
    validateShares({ ...limited, nominalConcurrencyShares: 0 }, path),
  ];
  return [
    ...shares,
    ...validateResponse(limitResponse, `${path}.limitResponse`),
    ...lent,
    ...(borrowed < 0
      ? [fieldError.invalid(`${path}.borrowingLimitPercent`, borrowed, 'if specified, must be a non-negative integer')]
      : []),
  ];
}

function validateResponse({ type = '', queuing }: { type?: string; queuing?: Queuing }, path: string): FieldError[] {
  const field = `${path}.queuing`;
  if (type === 'Reject') {
    if (!queuing) return [];
    return [fieldError.forbidden(field, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (type === 'Queue') {
    if (!queuing) return [fieldError.required(field, 'must not be empty if limited.limitResponse.type is Limited')];
    return validateQueuing(queuing, field);
  }
  if (type === '') return [fieldError.required(`${path}.type`)];
  return [fieldError.notSupportedInOrder(`${path}.type`, type, ['Queue', 'Reject'])];
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const invalid = (field: string, value: number, detail: string) =>
    errors.push(fieldError.invalid(`${path}.${field}`, value, detail));
  if (queueLengthLimit <= 0) invalid('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) invalid('queues', queues, 'must be positive');
  else if (queues > maxQueues) invalid('queues', queues, `must not be greater than ${maxQueues}`);
  if (handSize <= 0) invalid('handSize', handSize, 'must be positive');
  else if (handSize > queues) invalid('handSize', handSize, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * handSize) > hashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`;
    invalid('handSize', handSize, detail);
  }
  return errors;
}

export const priorityLevelRules: KindRules<PriorityLevelFields> = {
  prepareCreate(draft) {
    draft.status = {};
  },
  validate(draft) {
    const forbidden = draft.metadata.annotations?.[preserveZero] !== undefined;
    return [
      ...(forbidden ? [fieldError.forbidden('metadata.annotations', `annotation '${preserveZero}' is forbidden`)] : []),
      ...validateLevel(draft.metadata.name ?? '', draft.spec ?? {}),
    ];
  },
  validateStatusUpdate: (draft) => validateFlowConditions(draft.status ?? {}),
  metadataOnUpdate: ['create'],
};
