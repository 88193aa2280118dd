import { difference, type FieldSet, intersection, noFields, union } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import type { Manager, Managers } from './managers.ts';
import { type Convert, inVersion, type Versioned } from './ownership.ts';
import { removeFields } from './remove.ts';
import { withDeclaredFields } from './schema-fit.ts';

export interface Pruned {
  /** For comparison: emptied objects are null, since they still exist for their other owners. */
  readonly after: Versioned;
  /** For storage: emptied objects are removed. */
  readonly object: Versioned['object'];
}

/**
 * Removes from the merged object the fields that this manager applied last time and no longer applies, unless another manager owns them.
 * `managers` has the new set of the applier; `last` is its previous set.
 */
export function prune(
  merged: Versioned,
  managers: Managers,
  last: Manager | undefined,
  convert: Convert | undefined,
): Pruned {
  const whole = last && last.fields.size > 0 ? inVersion(merged, last.apiVersion, convert) : undefined;
  if (!last || !whole) return { after: merged, object: merged.object };
  const owned = withDeclaredFields(last.fields, whole.shape);
  const bare = without(whole, owned);
  const kept = inVersion(withOwned(whole, bare, managers, convert), last.apiVersion, convert) ?? whole;
  const gone = intersection(difference(declared(whole), declared(kept)), owned);
  const back = (pruned: Versioned): Versioned => inVersion(pruned, merged.apiVersion, convert) ?? merged;
  return { after: back(without(whole, gone)), object: back(without(whole, gone, 'gone')).object };
}

/** Restores fields that are owned, in the version of each owner; the version of the prune is first. */
function withOwned(whole: Versioned, bare: Versioned, managers: Managers, convert: Convert | undefined): Versioned {
  const byVersion = new Map<string, FieldSet>([[whole.apiVersion, noFields]]);
  for (const { apiVersion, fields } of managers.values()) {
    byVersion.set(apiVersion, union(byVersion.get(apiVersion) ?? noFields, fields));
  }
  let kept = bare;
  for (const [apiVersion, owned] of byVersion) {
    if (owned.size === 0) continue;
    const wholeThere = inVersion(whole, apiVersion, convert);
    const keptThere = inVersion(kept, apiVersion, convert);
    if (!wholeThere || !keptThere) continue;
    const desired = union(declared(keptThere), withDeclaredFields(owned, wholeThere.shape));
    kept = without(wholeThere, difference(declared(wholeThere), desired));
  }
  return kept;
}

const declared = ({ object, shape }: Versioned): FieldSet => withDeclaredFields(fieldsOf(shape, object), shape);

const without = (at: Versioned, fields: FieldSet, emptied: 'gone' | 'null' = 'null'): Versioned => ({
  ...at,
  object: (removeFields(at.shape, at.object, fields, emptied) ?? {}) as Versioned['object'],
});
