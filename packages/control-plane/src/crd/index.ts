export { crdRules } from './crd-rules.ts';
export { cleanupFinalizer, isEstablished, markTerminating, nextStatus, setCleanupProgress } from './crd-status.ts';
export type { Definition, DefinitionStatus } from './definition.ts';
export { resourcesOf, storageOf } from './resources-of.ts';
export { compareVersions } from './version-order.ts';
