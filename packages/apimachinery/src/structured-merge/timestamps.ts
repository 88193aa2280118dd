import { equalJson } from '../json/json-value.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import { withoutManagedFields } from './update-managed-fields.ts';

/**
 * The managedFields after a write: those of the live object if only their times differ. An apply cannot know that its change is reverted by
 * defaulting, admission or normalization; without this it would be a write.
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
