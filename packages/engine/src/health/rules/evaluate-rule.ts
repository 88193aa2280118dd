import { isJsonObject, type KubeObject } from '@fairlead/apimachinery';
import { type Health, health } from '../health.ts';
import { holdAll } from './holds.ts';
import { fillIn } from './message.ts';
import type { Rule } from './rule.ts';
import { scopeOf } from './scope.ts';

/** The result of the first matching clause. Rules end with a clause without tests, so there always is one. */
export function evaluateRule(rule: Rule, object: KubeObject): Health | undefined {
  const scope = scopeOf(isJsonObject(object) ? object : {});
  for (const clause of rule) {
    if (typeof clause === 'function') {
      const result = clause(object);
      if (result) return result;
      continue;
    }
    const found = holdAll(clause.when, scope);
    if (found) return health(clause.status, fillIn(clause.message, found));
  }
  return undefined;
}
