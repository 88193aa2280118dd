import { fieldError, qualifiedName, validateLabelSelector } from '@fairlead/apimachinery';
import { type Findings, invalid, oneOf, positive } from '../checks.ts';
import { matchLabelKeys } from './affinity.ts';
import type { Leniency } from './leniency.ts';
import type { TopologySpreadConstraint } from './types.ts';

export function* topologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: string,
  leniency: Leniency,
): Findings {
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const { topologyKey = '', whenUnsatisfiable = '' } = constraint;
    yield* positive(constraint.maxSkew, `${at}.maxSkew`);
    if (!topologyKey) yield fieldError.required(`${at}.topologyKey`, 'can not be empty');
    yield* oneOf(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], `${at}.whenUnsatisfiable`);
    const again = constraints
      .slice(index + 1)
      .some(
        (other) => (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
      );
    if (again) {
      yield fieldError.duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`);
    }
    yield* minDomains(constraint, `${at}.minDomains`);
    yield* oneOf(constraint.nodeAffinityPolicy, ['Honor', 'Ignore'], `${at}.nodeAffinityPolicy`);
    yield* oneOf(constraint.nodeTaintsPolicy, ['Honor', 'Ignore'], `${at}.nodeTaintsPolicy`);
    if (leniency.spreadMatchLabelKeys) yield* formerMatchLabelKeys(constraint, `${at}.matchLabelKeys`);
    else yield* matchLabelKeys(constraint, at);
    if (!leniency.spreadSelector) yield* validateLabelSelector(constraint.labelSelector, `${at}.labelSelector`);
  }
}

function* minDomains({ minDomains: count, whenUnsatisfiable }: TopologySpreadConstraint, path: string): Findings {
  if (count == null) return;
  yield* positive(count, path);
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable ?? ''}`;
    yield fieldError.invalid(path, count, detail);
  }
}

/** The rule before keys were merged into the selector: for existing pods. */
function* formerMatchLabelKeys(
  { matchLabelKeys: keys, labelSelector }: TopologySpreadConstraint,
  path: string,
): Findings {
  if (!keys?.length) return;
  if (!labelSelector) yield fieldError.forbidden(path, 'must not be specified when labelSelector is not set');
  const given = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key = '' }) => key),
  ]);
  for (const [index, key] of keys.entries()) {
    yield* invalid(`${path}[${index}]`, key, qualifiedName(key));
    if (given.has(key)) {
      yield fieldError.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
    }
  }
}
