import type { JsonObject, ManagedFieldsEntry } from '@fairlead/apimachinery';
import { ownedPaths } from './owned-fields.ts';
import type { Path } from './paths.ts';

/** Who has last set a field. */
export interface FieldOwner {
  readonly manager: string;
  readonly since?: string;
}

/**
 * Finds the owners of fields of one live object. A manager that owns a field owns everything below it, unless another one owns a part; of several
 * owners, the last one that has written is returned.
 */
export function fieldOwner(
  object: JsonObject,
  entries: readonly ManagedFieldsEntry[],
): (path: Path) => FieldOwner | undefined {
  const owned = entries
    .map((entry) => ({ entry, paths: ownedPaths(object, [entry], [entry.manager ?? '']) }))
    .sort((a, b) => ((a.entry.time ?? '') < (b.entry.time ?? '') ? 1 : -1));
  return (path) => {
    const found =
      owned.find(({ paths }) => paths.some((one) => isWithin(path, one))) ??
      owned.find(({ paths }) => paths.some((one) => isWithin(one, path)));
    if (!found) return undefined;
    const { manager = '', time } = found.entry;
    return { manager, ...(time ? { since: time } : {}) };
  };
}

/** Whether a path is the other one, or below it. */
export const isWithin = (path: Path, other: Path): boolean => other.every((step, i) => path[i] === step);
