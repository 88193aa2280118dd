import type { FieldSpec } from '../config/field-spec.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { setScalar } from '../node/fields.ts';
import { Node } from '../node/node.ts';
import { gvkText, isSelected } from '../resource/res-id.ts';
import type { ResMap } from '../resource/res-map.ts';
import { applyFieldSpec } from './field-spec-filter.ts';

export interface Replica {
  readonly name?: string;
  readonly count?: number;
}

/** Sets the number of replicas of the object with this name. */
export function setReplicas(map: ResMap, { name = '', count = 0 }: Replica, specs: readonly FieldSpec[]): void {
  let found = false;
  for (const spec of specs) {
    for (const resource of map.byAnyId((id) => id.name === name && isSelected(id, spec))) {
      found = true;
      applyFieldSpec(resource, spec, {
        set: (node) => setScalar(node, new Node('scalar', '!!int', String(count))),
        createKind: 'scalar',
        createTag: '!!int',
      });
    }
  }
  if (!found) {
    const kinds = specs.map(({ group = '', version = '', kind = '' }) => gvkText({ group, version, kind })).join(' ');
    throw new KustomizeError(`resource with name ${name} does not match a config with the following GVK [${kinds}]`);
  }
}
