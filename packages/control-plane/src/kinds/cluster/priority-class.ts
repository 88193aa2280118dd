import { type FieldError, fieldError } from '@fairlead/apimachinery';
import type { PriorityClassFields } from '@fairlead/apimachinery/fields';
import { refuse } from '../../errors.ts';
import type { KindRules, RuleContext } from '../../resource.ts';
import { immutable, unknownValue } from './shape.ts';

const kind = { group: 'scheduling.k8s.io', plural: 'priorityclasses', kind: 'PriorityClass' };
const highest = 1_000_000_000;
const systemClasses: Record<string, number> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function systemProblem(name: string, { value = 0, globalDefault = false }: PriorityClassFields): string | undefined {
  const expected = systemClasses[name];
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validateClass(draft: PriorityClassFields): FieldError[] {
  const priority = draft;
  const { name = '' } = draft.metadata;
  const errors: FieldError[] = [];
  if (name.startsWith('system-')) {
    const problem = systemProblem(name, priority);
    if (problem) {
      const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`;
      errors.push(fieldError.forbidden('metadata.name', detail));
    }
  } else if ((priority.value ?? 0) > highest) {
    errors.push(fieldError.forbidden('value', `maximum allowed value of a user defined priority is ${highest}`));
  }
  const policy = priority.preemptionPolicy;
  if (policy === '') return [...errors, fieldError.required('preemptionPolicy')];
  return [
    ...errors,
    ...(policy === undefined ? [] : unknownValue('preemptionPolicy', policy, ['PreemptLowerPriority', 'Never'])),
  ];
}

/** There can be only one default. */
function refuseSecondDefault(draft: PriorityClassFields, context: RuleContext): void {
  if (!draft.globalDefault) return;
  const classes: Iterable<PriorityClassFields> = context.find('scheduling.k8s.io/priorityclasses');
  const defaults = [...classes]
    .filter((object) => object.globalDefault)
    .sort((left, right) => (left.value ?? 0) - (right.value ?? 0));
  const [first] = defaults;
  if (!first || (context.operation === 'update' && first.metadata.name === draft.metadata.name)) return;
  const why = `PriorityClass ${first.metadata.name} is already marked as default. Only one default can exist`;
  throw refuse.forbidden(kind, draft.metadata.name, why);
}

export const priorityClassRules: KindRules<PriorityClassFields> = {
  /** The generation never changes. */
  generationMoves: () => false,
  validate(draft, context) {
    if (context.operation !== 'create') return [];
    const errors = validateClass(draft);
    if (errors.length === 0) refuseSecondDefault(draft, context);
    return errors;
  },
  validateUpdate(draft, old, context) {
    const [next, before] = [draft, old];
    const errors = [
      ...((next.value ?? 0) === (before.value ?? 0)
        ? []
        : [fieldError.forbidden('value', 'may not be changed in an update.')]),
      ...immutable('preemptionPolicy', next.preemptionPolicy, before.preemptionPolicy),
    ];
    if (errors.length === 0) refuseSecondDefault(draft, context);
    return errors;
  },
};
