/**
 * `DIR/merge-keys.json`: type → field → how Kubernetes merges it (`listType`, `mapKeys`, `mapType`, `patchStrategy`, `patchMergeKey`); the
 * field `''` is the type itself. The type table must merge every field that it has in the same way.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type Field, type ObjectSchema, type Schema, typeNamed, typeNames } from '../src/index.ts';

interface Merge {
  readonly listType?: string;
  readonly mapKeys?: readonly string[];
  readonly mapType?: string;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}

/** `item` is the type of a list's items, in the same group. */
type Recorded = Merge & { readonly item?: string };
type Types = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  const types: Types = JSON.parse(readFileSync(join(dir, 'merge-keys.json'), 'utf8'));
  const known = new Set(typeNames());
  for (const [type, fields] of Object.entries(types)) {
    const group = type.slice(0, type.lastIndexOf('.'));
    for (const [field, { item, ...expected }] of Object.entries(fields)) {
      const name = field === '' ? type.slice(group.length + 1) : `${type.slice(group.length + 1)}.${field}`;
      if (only && !`${group}/${name}`.includes(only)) continue;
      const actual = known.has(type) ? mergeOf(typeNamed(type), field, expected) : undefined;
      const passed = isDeepStrictEqual(actual, expected);
      const skipped = passed ? undefined : newerThanTable(types, known, type, field, item);
      const detail = `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`;
      yield { group, name, passed, ...(passed ? {} : { detail }), ...(skipped ? { skipped } : {}) };
    }
  }
}

/** The record is of a later Kubernetes than the type table: some types and alpha fields are new, some lists have other items. */
function newerThanTable(
  types: Types,
  known: ReadonlySet<string>,
  type: string,
  field: string,
  item: string | undefined,
): string | undefined {
  if (!known.has(type)) return 'the type table does not have this type';
  const isNew = (of: string, name: string): boolean => name !== '' && !typeNamed(of).fields.has(name);
  if (isNew(type, field)) return 'the type table does not have this field';
  const itemType = `${type.slice(0, type.lastIndexOf('.'))}.${item}`;
  const hasNewFields = Object.keys(types[itemType] ?? {}).some((name) => isNew(itemType, name));
  return hasNewFields ? 'the items have fields that the type table does not have' : undefined;
}

/** How the type table merges a field. Defaults, and the map type that a field has from its type, count only if they were recorded. */
function mergeOf(type: ObjectSchema, name: string, recorded: Merge): Merge {
  if (name === '') return mapTypeOf(type);
  const field = type.fields.get(name);
  if (!field) return {};
  return {
    ...listOf(field.schema, recorded),
    ...(recorded.mapType === undefined ? {} : mapTypeOf(field.schema)),
    ...patchOf(field),
  };
}

const mapTypeOf = (schema: Schema): Merge => ({
  mapType: 'atomic' in schema && schema.atomic ? 'atomic' : 'granular',
});

function listOf(schema: Schema, recorded: Merge): Merge {
  if (schema.type !== 'list' || (schema.listType === 'atomic' && recorded.listType === undefined)) return {};
  return { listType: schema.listType, ...(schema.mapKeys ? { mapKeys: schema.mapKeys } : {}) };
}

const patchOf = ({ patch }: Field): Merge => ({
  ...(patch ? { patchStrategy: patch.strategy.join(',') } : {}),
  ...(patch?.mergeKey === undefined ? {} : { patchMergeKey: patch.mergeKey }),
});
