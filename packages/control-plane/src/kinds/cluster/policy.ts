import type { Condition, KubeObject } from '@fairlead/apimachinery';
import {
  type FieldError,
  fieldError,
  invalidEach,
  type LabelSelector,
  nameRules,
  patternMessage,
  percent,
  qualifiedName,
  validateLabelSelector,
} from '@fairlead/apimachinery';
import type { KindRules } from '../../resource.ts';
import { unknownValue } from './shape.ts';

type Amount = number | string;

interface BudgetSpec {
  minAvailable?: Amount;
  maxUnavailable?: Amount;
  selector?: LabelSelector;
  unhealthyPodEvictionPolicy?: string;
}

interface BudgetStatus {
  conditions?: Partial<Condition>[];
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
}

interface DisruptionBudgetFields extends KubeObject {
  spec?: BudgetSpec;
  status?: BudgetStatus;
}

function validateAmount(amount: Amount | undefined, field: string): FieldError[] {
  if (amount === undefined) return [];
  if (typeof amount === 'number') {
    return amount < 0 ? [fieldError.invalid(field, amount, 'must be greater than or equal to 0')] : [];
  }
  const messages = percent(amount);
  if (messages.length > 0) return invalidEach(field, amount, messages);
  return Number.parseInt(amount, 10) > 100 ? [fieldError.invalid(field, amount, 'must not be greater than 100%')] : [];
}

function validateSpec(spec: BudgetSpec): FieldError[] {
  const both = spec.minAvailable !== undefined && spec.maxUnavailable !== undefined;
  return [
    ...(both ? [fieldError.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...validateAmount(spec.minAvailable, 'spec.minAvailable'),
    ...validateAmount(spec.maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...(spec.unhealthyPodEvictionPolicy === undefined
      ? []
      : unknownValue('spec.unhealthyPodEvictionPolicy', spec.unhealthyPodEvictionPolicy, [
          'AlwaysAllow',
          'IfHealthyBudget',
        ])),
  ];
}

const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';

/** Conditions of newer kinds. */
export function validateConditions(conditions: readonly Partial<Condition>[], path: string): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  return conditions.flatMap((condition, index) => {
    const at = `${path}[${index}]`;
    const twice =
      types.indexOf(condition.type ?? '') < index ? [fieldError.duplicate(`${at}.type`, condition.type ?? '')] : [];
    return [...twice, ...validateCondition(condition, at)];
  });
}

function validateCondition(condition: Partial<Condition>, path: string): FieldError[] {
  const { type = '', status = '', reason = '', message = '', observedGeneration = 0 } = condition;
  const errors = [
    ...invalidEach(`${path}.type`, type, qualifiedName(type)),
    ...unknownValue(`${path}.status`, status, ['False', 'True', 'Unknown']),
  ];
  if (observedGeneration < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(fieldError.invalid(`${path}.observedGeneration`, observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) errors.push(fieldError.required(`${path}.lastTransitionTime`));
  if (reason === '') errors.push(fieldError.required(`${path}.reason`));
  else if (!new RegExp(`^${reasonPattern}$`).test(reason)) {
    const text =
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
    const examples = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'];
    errors.push(fieldError.invalid(`${path}.reason`, reason, patternMessage(text, reasonPattern, ...examples)));
  }
  if (Buffer.byteLength(reason) > 1024) errors.push(fieldError.tooLong(`${path}.reason`, 1024));
  if (Buffer.byteLength(message) > 32_768) errors.push(fieldError.tooLong(`${path}.message`, 32_768));
  return errors;
}

export const disruptionBudgetRules: KindRules<DisruptionBudgetFields> = {
  metadataLast: true,
  metadataOnStatus: [],
  prepareCreate(draft) {
    draft.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate: (draft) => validateSpec(draft.spec ?? {}),
  validateStatusUpdate(draft) {
    const { conditions = [], ...counts } = draft.status ?? {};
    const fields = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
    return [
      ...validateConditions(conditions, 'status.conditions'),
      ...fields
        .filter((field) => (counts[field] ?? 0) < 0)
        .map((field) => fieldError.invalid(`status.${field}`, counts[field], 'must be greater than or equal to 0')),
    ];
  },
  validateName: nameRules.pathSegment,
  anyFinalizer: true,
  metadataOnUpdate: [],
};
