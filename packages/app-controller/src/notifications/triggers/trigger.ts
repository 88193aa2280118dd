import { createHash } from 'node:crypto';
import { messageOf } from '@fairlead/apimachinery';
import type { GoMap } from '@fairlead/render/go-template';
import { list, struct, text } from '../config/decode.ts';
import { ExprError } from '../expr/expr-error.ts';
import { compileExpression, type Expression } from '../expr/expression.ts';
import { printed } from '../expr/values.ts';

const conditionFields = list(struct({ oncePer: text, when: text, description: text, send: list(text) }));
export type ConditionSpec = ReturnType<typeof conditionFields>[number];

export interface TriggerCondition {
  readonly spec: ConditionSpec;
  /** Its index in the trigger and a hash of `when`: part of the mark of a delivery. */
  readonly key: string;
  readonly when: Expression | undefined;
  readonly oncePer: Expression | undefined;
  /** Why it cannot be used; it is never true then. */
  readonly problem: string | undefined;
}

export type Trigger = readonly TriggerCondition[];

export interface ConditionResult {
  readonly key: string;
  readonly triggered: boolean;
  /** A delivery is made once for each value. Empty if there is none. */
  readonly oncePer: string;
  readonly templates: readonly string[];
  /** What failed while it was evaluated. */
  readonly errors: readonly string[];
}

/** Reads a trigger and compiles its expressions. Throws DecodeError; a condition that does not compile is kept with its problem. */
export const compileTrigger = (raw: unknown): Trigger => conditionFields(raw, '').map(compileCondition);

function compileCondition(spec: ConditionSpec, index: number): TriggerCondition {
  const key = `[${index}].${createHash('sha1').update(spec.when).digest('base64url')}`;
  try {
    const when = compileExpression(spec.when || 'false');
    return {
      spec,
      key,
      when,
      oncePer: spec.oncePer === '' ? undefined : compileExpression(spec.oncePer),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof ExprError)) throw error;
    return { spec, key, when: undefined, oncePer: undefined, problem: error.message };
  }
}

/** Evaluates the conditions of a trigger. Errors that ask for data (`MissingData`) pass through. */
export function runTrigger(trigger: Trigger, variables: GoMap, now: () => number): ConditionResult[] {
  return trigger.map(({ spec, key, when, oncePer, problem }) => {
    const errors = problem === undefined ? [] : [problem];
    const triggered = evaluated(when, variables, now, errors) === true;
    const value = triggered && oncePer ? evaluated(oncePer, variables, now, errors) : undefined;
    return { key, triggered, oncePer: value === undefined ? '' : printed(value), templates: spec.send, errors };
  });
}

/** Undefined if it fails. */
function evaluated(expression: Expression | undefined, variables: GoMap, now: () => number, errors: string[]) {
  try {
    return expression?.run(variables, { now });
  } catch (error) {
    if (!(error instanceof ExprError)) throw error;
    errors.push(messageOf(error));
    return undefined;
  }
}
