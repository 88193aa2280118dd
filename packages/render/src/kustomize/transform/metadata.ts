import type { FieldSpec } from '../config/field-spec.ts';
import { setField } from '../node/fields.ts';
import { Node } from '../node/node.ts';
import type { ResMap } from '../resource/res-map.ts';
import { applyFieldSpecs } from './field-spec-filter.ts';

/** Adds labels or annotations to all their fields. The fields of an object share one node, as in Kustomize. */
export function setEntries(map: ResMap, entries: ReadonlyMap<string, string>, specs: readonly FieldSpec[]): void {
  const keys = [...entries.keys()].sort();
  for (const resource of map.resources) {
    for (const key of keys) {
      const value = new Node('scalar', '!!str', entries.get(key)!);
      applyFieldSpecs(resource, specs, {
        set: (node) => void setField(node, key, value),
        createKind: 'map',
        createTag: '!!map',
      });
    }
  }
}
