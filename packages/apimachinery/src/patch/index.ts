/**
 * Every way to change an object, as pure functions over JSON and its schema: the three patch types, server-side apply, and the field
 * ownership after any write.
 */
export { type Application, applyConfiguration } from '../structured-merge/apply-configuration.ts';
export { type Endpoint, ownableAt } from '../structured-merge/endpoint-fields.ts';
export type { Convert } from '../structured-merge/ownership.ts';
export { allBut, nothingBut, type ResetFields } from '../structured-merge/reset-fields.ts';
export { parentManagedFields, scaleManagedFields } from '../structured-merge/scale-fields.ts';
export { settledManagedFields } from '../structured-merge/timestamps.ts';
export { type FieldsUpdate, updateManagedFields } from '../structured-merge/update-managed-fields.ts';
export { applyJsonPatch, applyMergePatch, applyStrategicPatch, type PatchReading } from './apply-patch.ts';
