import type { Json } from '@fairlead/apimachinery';
import { valuesAt } from './path.ts';

/** Where a path of a rule starts. */
export interface Scope {
  readonly object: Json;
  readonly here: Json;
  /** The last result of the tests, and the element that contains it. */
  readonly it?: Json;
  readonly owner?: Json;
}

export const scopeOf = (object: Json): Scope => ({ object, here: object });

export function lookup(scope: Scope, path: string): readonly Json[] {
  if (path.startsWith('$.')) return valuesAt(scope.object, path.slice(2));
  if (path.startsWith('it.')) return valuesAt(scope.it, path.slice(3));
  if (path.startsWith('owner.')) return valuesAt(scope.owner, path.slice(6));
  return valuesAt(scope.here, path);
}

/** As a rule compares and prints it: true is `True`, as in conditions; lists and maps are not text. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return '';
}

export function numberOf(scope: Scope, operand: string | number): number {
  if (typeof operand === 'number') return operand;
  if (operand.startsWith('count:')) return lookup(scope, operand.slice(6)).length;
  if (operand.startsWith('sum:'))
    return lookup(scope, operand.slice(4)).reduce<number>((sum, n) => sum + numeric(n), 0);
  return numeric(lookup(scope, operand)[0]);
}

/** A hash that looks like `5e10` is not a number. */
function numeric(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}
