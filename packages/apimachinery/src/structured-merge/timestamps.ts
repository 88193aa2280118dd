import { equalJson } from '../json/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import { withoutManagedFields } from './update-managed-fields.ts';

/**
 * The managedFields that a write should keep, seen at its very end: those of the live object where nothing but their
 * times is new. An apply cannot know that what it changed is changed back by defaulting, admission or normalisation;
 * without this it would be a write.
 */
export function settledManagedFields(live: KubeObject, next: KubeObject): ManagedFieldsEntry[] | undefined {
  const [before, after] = [live.metadata.managedFields, next.metadata.managedFields];
  if (!before || !after || before === after || before.length !== after.length || after.length === 0) return after;
  const same =
    after.every((entry, at) => sameButTime(before[at], entry)) &&
    equalJson(withoutManagedFields(live), withoutManagedFields(next));
  return same ? before : after;
}

function sameButTime(a: ManagedFieldsEntry | undefined, b: ManagedFieldsEntry): boolean {
  const [{ time: _a, ...left }, { time: _b, ...right }] = [a ?? {}, b];
  return equalJson(left, right);
}
