import type { KubeObject } from '@fairlead/apimachinery';
import { describeId, isDefinition } from '@fairlead/engine';
import type { NewCondition } from '../status/conditions.ts';
import { eachYielding } from '../yielding.ts';
import type { Comparison } from './compare.ts';
import type { ResourceEvaluator } from './resource-evaluator.ts';

/**
 * Misspelt fields of objects that are OutOfSync, before anything is applied. They do not fail a sync: the API server drops them, and the
 * object stays OutOfSync for a reason that is otherwise hard to find.
 */
export async function unknownFieldWarnings(
  evaluator: Pick<ResourceEvaluator, 'unknownFields'>,
  { resources }: Pick<Comparison, 'resources'>,
): Promise<NewCondition[]> {
  const different = resources.filter(({ target, status }) => target && status === 'OutOfSync');
  if (different.length === 0) return [];
  const definitions = resources.flatMap(({ target }): KubeObject[] => (target && isDefinition(target) ? [target] : []));
  const warnings: NewCondition[] = [];
  await eachYielding(different, async (some) => {
    const fields = await Promise.all(some.map(({ target }) => target && evaluator.unknownFields(target, definitions)));
    for (const [i, { id }] of some.entries()) {
      const unknown = fields[i] ?? [];
      if (unknown.length > 0)
        warnings.push({ type: 'UnknownFieldWarning', message: `${describeId(id)} has ${saying(unknown)}` });
    }
  });
  return warnings;
}

const mostFields = 5;

function saying(fields: readonly string[]): string {
  const names = fields.slice(0, mostFields).map((field) => `"${field}"`);
  if (fields.length > mostFields) names.push(`${fields.length - mostFields} more`);
  return fields.length === 1
    ? `unknown field ${names[0]}: the API server drops it, correct its name`
    : `unknown fields ${names.join(', ')}: the API server drops them, correct their names`;
}
