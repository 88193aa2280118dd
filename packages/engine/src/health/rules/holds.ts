import { at, type Json } from '@fairlead/apimachinery';
import { elementsOf } from './path.ts';
import type { Comparison, Test } from './rule.ts';
import { lookup, numberOf, type Scope, textOf } from './scope.ts';

/** The scope after all tests passed, with what they found; undefined if one failed. */
export function holdAll(tests: readonly Test[], scope: Scope): Scope | undefined {
  let after: Scope | undefined = scope;
  for (const test of tests) {
    after = holds(test, after);
    if (!after) return undefined;
  }
  return after;
}

function holds(test: Test, scope: Scope): Scope | undefined {
  switch (test.test) {
    case 'condition':
      return conditionHolds(test, scope);
    case 'field':
      return lookup(scope, test.path).some((found) => test.values.includes(found as never)) ? scope : undefined;
    case 'present':
      return lookup(scope, test.path).some(isThere) ? scope : undefined;
    case 'matches':
      return matchHolds(test, scope);
    case 'compare':
      return compares(numberOf(scope, test.left), test.operator, numberOf(scope, test.right)) ? scope : undefined;
    case 'some':
      return someHolds(test, scope);
    case 'every':
      return everyHolds(test, scope) ? scope : undefined;
    case 'all':
      return holdAll(test.tests, scope);
    case 'any':
      return firstDefined(test.tests, (one) => holds(one, scope));
    case 'not':
      return holds(test.of, scope) ? undefined : scope;
  }
}

function conditionHolds({ at: path, types, want }: Test & { test: 'condition' }, scope: Scope): Scope | undefined {
  const found = elementsOf(lookup(scope, path)[0]).find(
    (one) =>
      types.includes(textOf(at(one, 'type'))) &&
      includesOrOpen(want.statuses, textOf(at(one, 'status'))) &&
      includesOrOpen(want.reasons, textOf(at(one, 'reason'))) &&
      !(want.current && isOutdated(one, scope.object)),
  );
  return found === undefined ? undefined : { ...scope, it: found };
}

const includesOrOpen = (words: readonly string[], word: string): boolean => words.length === 0 || words.includes(word);

/** An object or a condition without a generation counts as current. */
function isOutdated(condition: Json, object: Json): boolean {
  const [observed, generation] = [at(condition, 'observedGeneration'), at(object, 'metadata', 'generation')];
  return observed !== undefined && generation !== undefined && observed !== generation;
}

function matchHolds({ path, pattern }: Test & { test: 'matches' }, scope: Scope): Scope | undefined {
  const match = pattern.exec(textOf(lookup(scope, path)[0]));
  if (!match) return undefined;
  return match.groups ? { ...scope, it: { ...match.groups } } : scope;
}

function someHolds({ path, tests }: Test & { test: 'some' | 'every' }, scope: Scope): Scope | undefined {
  return firstDefined(elementsOf(lookup(scope, path)[0]), (element) => {
    const inside = holdAll(tests, { object: scope.object, here: element });
    if (!inside) return undefined;
    const found = inside.it === undefined ? { it: element } : { it: inside.it, owner: inside.owner ?? element };
    return { ...scope, ...found };
  });
}

function everyHolds({ path, tests }: Test & { test: 'some' | 'every' }, scope: Scope): boolean {
  const elements = elementsOf(lookup(scope, path)[0]);
  return elements.length > 0 && elements.every((here) => holdAll(tests, { object: scope.object, here }) !== undefined);
}

const isThere = (value: Json): boolean => {
  if (value === null || value === '') return false;
  return typeof value === 'object' ? elementsOf(value).length > 0 : true;
};

function compares(left: number, operator: Comparison, right: number): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '=':
      return left === right;
    case '!=':
      return left !== right && !Number.isNaN(left) && !Number.isNaN(right);
    case '>=':
      return left >= right;
    case '>':
      return left > right;
  }
}

function firstDefined<T, R>(items: readonly T[], of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = of(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
