/**
 * Every way to change an object, as pure functions over JSON and its schema: the three patches of documents,
 * server-side apply, and the booking of who owns which field after any write.
 */
export { type Application, applyConfiguration } from './apply/apply-configuration.ts';
export { type Endpoint, ownableAt } from './apply/endpoint-fields.ts';
export type { Convert } from './apply/ownership.ts';
export { allBut, nothingBut, type ResetFields } from './apply/reset-fields.ts';
export { parentManagedFields, scaleManagedFields } from './apply/scale-fields.ts';
export { conversionAmong } from './apply/served-versions.ts';
export { settledManagedFields } from './apply/timestamps.ts';
export { type FieldsUpdate, updateManagedFields } from './apply/update-managed-fields.ts';
export { applyJsonPatch, applyMergePatch, applyStrategicPatch, type PatchReading } from './apply-patch.ts';
