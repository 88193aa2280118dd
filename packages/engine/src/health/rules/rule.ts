import type { KubeObject } from '@fairlead/apimachinery';
import type { Health, HealthStatus } from '../health.ts';

/**
 * The vocabulary of health rules. A rule is a list of clauses, read from the top: the first whose tests all pass decides the health of the
 * object. It is data; `evaluate-rule.ts` evaluates it.
 *
 * - A path is `status.phase`, `metadata.annotations[a.b/c]`, `status.racks[*].name` (every element of a list or map) or
 *   `status.racks[state=Down].name` (those whose member is this text). It starts at the object, or inside `some` and `every` at the
 *   element; `$.` starts at the object everywhere, `it.` at what the tests before it found, `owner.` at the element that `it` was found in.
 * - An operand is a path, `count:path` (of what is found there), `sum:path`, or a number.
 * - A message is text with `{path}`, `{it.message}`, `{lower:kind}`, `{join("; "):path}`, `{condition Ready.reason}` in it; `{a|b|'text'}`
 *   is the first of these that is not empty.
 */
export type Rule = readonly (Clause | HealthCheck)[];

export interface Clause {
  readonly status: HealthStatus;
  readonly message: string;
  readonly when: readonly Test[];
}

/** For logic that no clause can express: pure, and undefined if it does not apply. */
export type HealthCheck = (object: KubeObject) => Health | undefined;

export type Scalar = string | number | boolean;
type Words = string | readonly string[];

export type Test =
  | { readonly test: 'condition'; readonly at: string; readonly types: readonly string[]; readonly want: ConditionIs }
  | { readonly test: 'field'; readonly path: string; readonly values: readonly Scalar[] }
  | { readonly test: 'present'; readonly path: string }
  | { readonly test: 'matches'; readonly path: string; readonly pattern: RegExp }
  | { readonly test: 'compare'; readonly left: string; readonly operator: Comparison; readonly right: string | number }
  | { readonly test: 'some' | 'every'; readonly path: string; readonly tests: readonly Test[] }
  | { readonly test: 'any' | 'all'; readonly tests: readonly Test[] }
  | { readonly test: 'not'; readonly of: Test };

export type Comparison = '<' | '<=' | '=' | '!=' | '>=' | '>';

interface ConditionIs {
  /** Any, if none are given. */
  readonly statuses: readonly string[];
  readonly reasons: readonly string[];
  /** Ignores conditions of another generation of the object. */
  readonly current: boolean;
}

const clause =
  (status: HealthStatus) =>
  (message: string, ...when: readonly Test[]): Clause => ({ status, message, when });

export const healthy = clause('Healthy');
export const suspended = clause('Suspended');
export const progressing = clause('Progressing');
export const missing = clause('Missing');
export const degraded = clause('Degraded');
export const unknown = clause('Unknown');

const list = (words: Words): readonly string[] => (typeof words === 'string' ? [words] : words);

interface ConditionOptions {
  readonly reason?: Words;
  readonly current?: boolean;
  /** The path of the conditions. */
  readonly at?: string;
}

/** A condition of one of these types exists, with one of these statuses if any are given. It is `it`. */
export const condition = (
  types: Words,
  statuses: Words = [],
  { at = 'status.conditions', reason = [], current = false }: ConditionOptions = {},
): Test => ({
  test: 'condition',
  at,
  types: list(types),
  want: { statuses: list(statuses), reasons: list(reason), current },
});

/** The value is one of these. */
export const field = (path: string, ...values: readonly Scalar[]): Test => ({ test: 'field', path, values });

/** The value is not empty: not null, no empty string, list or map. */
export const present = (path: string): Test => ({ test: 'present', path });

/** Text that matches the pattern; its named groups are `it`. */
export const matches = (path: string, pattern: RegExp): Test => ({ test: 'matches', path, pattern });

/** Numbers, also as text; a missing value is 0, and any other value never compares. */
export const compare = (left: string, operator: Comparison, right: string | number): Test => ({
  test: 'compare',
  left,
  operator,
  right,
});

/** An element of the list or map for which the tests pass. It is `it`, and `owner` for what is found inside it. */
export const some = (path: string, ...tests: readonly Test[]): Test => ({ test: 'some', path, tests });

/** There are elements, and the tests pass for all of them. */
export const every = (path: string, ...tests: readonly Test[]): Test => ({ test: 'every', path, tests });

export const any = (...tests: readonly Test[]): Test => ({ test: 'any', tests });
export const all = (...tests: readonly Test[]): Test => ({ test: 'all', tests });
export const not = (of: Test): Test => ({ test: 'not', of });

/** The status is of an older generation of the object; a status without a generation counts as current. */
export const stale = (observed = 'status.observedGeneration'): Test =>
  all(present(observed), compare(observed, '<', '$.metadata.generation'));

/** The status is of another generation, older or, after a restore, newer. */
export const unobserved = (observed = 'status.observedGeneration'): Test =>
  all(present(observed), present('$.metadata.generation'), compare(observed, '!=', '$.metadata.generation'));

/** The same, where each condition has its own generation. */
export const staleCondition = (...types: readonly string[]): Test =>
  some('status.conditions', ...(types.length === 0 ? [] : [field('type', ...types)]), stale('observedGeneration'));
