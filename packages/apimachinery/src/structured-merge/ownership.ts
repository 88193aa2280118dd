import { must } from '../collections.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ObjectSchema } from '../schema/schema.ts';
import { type Comparison, compare } from './compare.ts';
import { Conflicts, conflictsIn } from './conflict.ts';
import { difference, type FieldSet, intersection, union } from './field-set.ts';
import type { Managers } from './managers.ts';
import { type FieldFilter, unownable } from './reset-fields.ts';
import { fitToSchema } from './schema-fit.ts';
import { type Shape, shapeOf } from './shape.ts';

/**
 * Converts the object to another version, with the schema of that version. Undefined if that version is no longer served. A kind with the
 * same schema in all versions needs none.
 */
export type Convert = (
  object: JsonObject,
  apiVersion: string,
) => { readonly object: JsonObject; readonly schema: ObjectSchema } | undefined;

/** An object in one version. */
export interface Versioned {
  readonly object: JsonObject;
  readonly apiVersion: string;
  readonly shape: Shape;
}

export function inVersion(at: Versioned, apiVersion: string, convert: Convert | undefined): Versioned | undefined {
  if (at.apiVersion === apiVersion) return at;
  if (!convert) return { ...at, apiVersion };
  const converted = convert(at.object, apiVersion);
  return converted && { object: converted.object, apiVersion, shape: shapeOf(converted.schema) };
}

export interface Change {
  readonly before: Versioned;
  readonly after: Versioned;
  readonly convert: Convert | undefined;
  readonly filter: FieldFilter;
}

/** The change in each version in which a manager owns fields. Fields that cannot be owned are omitted. */
export class Changes {
  readonly #change: Change;
  readonly #known = new Map<string, Comparison | undefined>();

  constructor(change: Change) {
    this.#change = change;
  }

  get apiVersion(): string {
    return this.#change.after.apiVersion;
  }

  /** In the version of the request itself. */
  get own(): Comparison {
    return must(this.in(this.apiVersion), 'the comparison in the version of the request');
  }

  in(apiVersion: string): Comparison | undefined {
    if (!this.#known.has(apiVersion)) this.#known.set(apiVersion, this.#compareIn(apiVersion));
    return this.#known.get(apiVersion);
  }

  #compareIn(apiVersion: string): Comparison | undefined {
    const { convert, filter } = this.#change;
    const before = inVersion(this.#change.before, apiVersion, convert);
    const after = inVersion(this.#change.after, apiVersion, convert);
    if (!before || !after) return undefined;
    const { added, modified, removed } = compare(before.shape, before.object, after.object);
    const ownable = (set: FieldSet): FieldSet => difference(filter(set), unownable);
    return { added: ownable(added), modified: ownable(modified), removed: ownable(removed) };
  }

  /** The sets of all managers under the current schemas. Managers in versions that no longer exist are dropped. */
  fit(managers: Managers): Managers {
    const { before, convert } = this.#change;
    const fitted: Managers = new Map();
    for (const [id, manager] of managers) {
      const shape = inVersion(before, manager.apiVersion, convert)?.shape;
      if (!shape) continue;
      const fields = fitToSchema(manager.fields, shape);
      fitted.set(id, fields === manager.fields ? manager : { ...manager, fields });
    }
    return fitted;
  }
}

/**
 * Removes the changed fields (set, changed or removed) from all managers except `self`. A manager without fields is dropped. Without
 * `force` it throws if another manager owns a field that is set or changed.
 */
export function takeOver(managers: Managers, self: string, changes: Changes, force: boolean): Managers {
  const contested = new Map<string, FieldSet>();
  const left: Managers = new Map();
  for (const [id, manager] of managers) {
    if (id === self) {
      left.set(id, manager);
      continue;
    }
    const change = changes.in(manager.apiVersion);
    if (!change) continue;
    const touched = union(change.modified, change.added);
    if (!force) {
      const conflict = intersection(manager.fields, touched);
      if (conflict.size > 0) contested.set(id, conflict);
    }
    const fields = difference(difference(manager.fields, touched), change.removed);
    if (fields.size > 0) left.set(id, fields === manager.fields ? manager : { ...manager, fields });
  }
  if (contested.size > 0) throw new Conflicts(conflictsIn(managers, contested));
  return left;
}
