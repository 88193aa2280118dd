import { messageOf } from '../../util/errors.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { floatNode } from '../node/node-value.ts';
import { allowKindChange, allowNameChange, isInternal } from '../resource/annotations.ts';
import { apiVersionOf, idText } from '../resource/res-id.ts';
import { copyMetadata, ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';
import { type Selector, selectResources } from '../resource/selector.ts';
import type { SchemaLookup } from '../schema/merge-schema.ts';
import { applyJsonPatch, type PatchOperation } from './json-patch.ts';
import { strategicMerge } from './strategic-merge.ts';

/** Merges a patch into an object. Name and kind change only if the patch may change them; the namespace never changes. */
function patchResource(resource: Resource, patch: Resource, schemas: SchemaLookup): void {
  const { name, namespace, kind } = resource;
  const [mayRename, mayRetype] = [patch.isEnabled(allowNameChange), patch.isEnabled(allowKindChange)];
  if (mayRename || mayRetype) resource.storePreviousId();
  // The object is changed in place. As in Kustomize, a patch that replaces the whole object has no effect.
  if (!strategicMerge(resource.root, patch.root, schemas)) resource.node = undefined;
  if (resource.isGone) return;
  if (!mayRetype) resource.kind = kind;
  if (!mayRename) resource.name = name;
  resource.namespace = namespace;
}

/** Merges a patch into each of the selected objects, and removes those that it deletes. */
export function patchSelected(
  map: ResMap,
  selected: readonly Resource[],
  patch: Resource,
  schemas: SchemaLookup,
): void {
  for (const resource of map.resources) {
    if (!selected.includes(resource)) continue;
    const own = patch.copy();
    copyMetadata(own, patch);
    const { kind } = patch;
    own.kind = resource.kind;
    own.apiVersion = apiVersionOf(resource.id);
    own.kind = kind;
    patchResource(resource, own, schemas);
  }
  const left = new ResMap();
  left.appendAll(map.resources.filter((resource) => !resource.isGone));
  map.resources = left.resources;
}

/** Applies patches to the objects that they name. */
export function patchNamed(map: ResMap, patches: readonly Resource[], schemas: SchemaLookup): void {
  for (const patch of patches) patchSelected(map, [map.byId(patch.originalId)], patch, schemas);
}

/** Like `patchNamed`, but in place: objects that a patch deletes are removed later. */
export function patchNamedInPlace(map: ResMap, patches: readonly Resource[], schemas: SchemaLookup): void {
  for (const patch of patches) {
    let target: Resource;
    try {
      target = map.byId(patch.originalId);
    } catch (error) {
      throw new KustomizeError(
        `no resource matches strategic merge patch "${idText(patch.originalId)}": ${messageOf(error)}`,
      );
    }
    patchResource(target, patch, schemas);
  }
}

/** Applies JSON operations to the selected objects. */
export function patchByOperations(
  map: ResMap,
  selector: Selector,
  operations: readonly PatchOperation[],
  notesId: boolean,
): void {
  for (const resource of selectResources(map.resources, selector)) {
    if (notesId) resource.storePreviousId();
    const internal = [...resource.annotations].filter(([key]) => isInternal(key));
    resource.node = floatNode(applyJsonPatch(resource.value, operations));
    const { annotations } = resource;
    for (const [key, value] of internal) annotations.set(key, value);
    resource.annotations = annotations;
  }
}
