import {
  type JsonObject,
  type KubeObject,
  schemaOf,
  threeWayMergePatch,
  threeWayStrategicPatch,
  unstructured,
} from '@fairlead/apimachinery';
import type { PatchType } from '@fairlead/kube';
import { lastAppliedOf } from '../diff/last-applied.ts';
import { groupOf, versionOf } from '../resource-id.ts';

/**
 * The patch that `kubectl apply` sends: strategic for built-in kinds, JSON merge for all others. It is computed from the literal manifest,
 * so that a manifest which the server stores differently (`cpu: 1000m`) is sent again by every sync. Empty if nothing differs.
 */
export function clientSidePatch(
  desired: KubeObject,
  live: KubeObject,
): { readonly patchType: PatchType; readonly patch: JsonObject } {
  const schema = schemaOf(groupOf(desired.apiVersion), versionOf(desired.apiVersion), desired.kind);
  const states = { original: lastAppliedOf(live) ?? {}, modified: unstructured(desired), current: unstructured(live) };
  return schema
    ? { patchType: 'strategic', patch: threeWayStrategicPatch(states, schema) }
    : { patchType: 'merge', patch: threeWayMergePatch(states) };
}
