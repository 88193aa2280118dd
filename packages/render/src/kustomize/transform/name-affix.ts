import type { FieldSpec } from '../config/field-spec.ts';
import { setScalar } from '../node/fields.ts';
import { scalar } from '../node/node.ts';
import { isSelected } from '../resource/res-id.ts';
import type { ResMap } from '../resource/res-map.ts';
import { applyFieldSpec } from './field-spec-filter.ts';

/** Kinds whose names have a meaning outside the build. */
const skipped = [
  { kind: 'CustomResourceDefinition' },
  { kind: 'APIService', group: 'apiregistration.k8s.io' },
  { kind: 'Namespace' },
];

/** Adds a prefix or a suffix to names, and records it. */
export function affixNames(map: ResMap, affix: string, side: 'prefix' | 'suffix', specs: readonly FieldSpec[]): void {
  for (const resource of map.resources) {
    const id = resource.originalId;
    if (skipped.some((gvk) => isSelected(id, gvk))) continue;
    for (const spec of specs) {
      if (!isSelected(id, spec)) continue;
      if (spec.path === 'metadata/name') {
        if (side === 'prefix') resource.addPrefix(affix);
        else resource.addSuffix(affix);
        if (affix !== '') resource.storePreviousId();
      }
      applyFieldSpec(resource, spec, {
        set: (node) => setScalar(node, scalar(side === 'prefix' ? affix + node.value : node.value + affix)),
        createKind: 'scalar',
        createTag: '!!str',
      });
    }
  }
}
