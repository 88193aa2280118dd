export {
  ActionError,
  type ActionParameter,
  type ImpactedObject,
  type ResourceAction,
  UnknownAction,
} from './actions/action.ts';
export { builtinActions } from './actions/builtin-actions.ts';
export { type CustomActions, readCustomActions } from './actions/custom-actions.ts';
export { type ActionTarget, performAction } from './actions/perform-action.ts';
export { discoverActions, runAction } from './actions/resource-actions.ts';
export { helmAnnotations, knownAnnotations } from './annotations.ts';
export { createMergePatch } from './diff/create-merge-patch.ts';
export { customSchema } from './diff/custom-schema.ts';
export { type Difference, diff } from './diff/diff.ts';
export {
  type Actor,
  type ComparedStates,
  Differ,
  type DiffPolicy,
  type DiffSettings,
  DryRunRefused,
  defaultDiffSettings,
  diffPolicy,
  type IgnoredStates,
} from './diff/differ.ts';
export { type FieldChange, fieldPath, jsonChanges } from './diff/field-changes.ts';
export { type FieldOwner, fieldOwner, isWithin } from './diff/field-owner.ts';
export { type Ignored, type IgnoreRule, ignoredOf } from './diff/ignore-rules.ts';
export { createJq, type Jq } from './diff/jq/jq.ts';
export { type KnownTypeField, knownType } from './diff/known-types.ts';
export { maskSecrets, withoutSecrets } from './diff/mask-secrets.ts';
export type { StatusComparison } from './diff/normalize.ts';
export { copyAt, type Path, pathsAt, without } from './diff/paths.ts';
export { defines, unknownFields } from './diff/unknown-fields.ts';
export { assessHealth, isPendingDeletion } from './health/assess-health.ts';
export { createCustomHealth, type HealthScript } from './health/custom-health.ts';
export { type Health, type HealthStatus, isWorse, worstOf } from './health/health.ts';
export { createLua, type Lua } from './health/lua/lua.ts';
export { createKinds, type DiscoveredType, type Kinds } from './kinds.ts';
export type { HostInfo } from './live/hosts.ts';
export { LiveIndex } from './live/live-index.ts';
export { type LiveChange, type LiveListener, LiveState, OutsideNamespaces } from './live/live-state.ts';
export { compacted, managedFieldsOf } from './live/managed-fields.ts';
export { readObject } from './live/read-object.ts';
export { defaultFilter, excludedIn, type FilteredResource, type ResourceFilter } from './live/resource-filter.ts';
export { type HealthOf, type ResourceNode, type ResourceRef, treeUnder } from './live/resource-tree.ts';
export { describeId, groupOf, idKey, keyIn, type ResourceId, resourceIdOf, versionOf } from './resource-id.ts';
export { type ApplyOptions, apply, fieldManager } from './sync/apply.ts';
export { assessTask } from './sync/assess-task.ts';
export { clientDryRun } from './sync/client-dry-run.ts';
export { explainFailure, isTransient, remedyFor } from './sync/explain-failure.ts';
export {
  type HookKind,
  type HookRun,
  hasDeletePolicy,
  hookFinalizer,
  hookKinds,
  hookObject,
  isHook,
  isSameRun,
  isSkipped,
} from './sync/hook.ts';
export { endedWell, type NextStep, nextStep, reasons, releasable, waitingFor } from './sync/next-step.ts';
export { isDefinition, planSync, type SyncItem, type SyncStep, stepsOf, withoutPruned } from './sync/plan-sync.ts';
export {
  type SyncOptionName,
  type SyncOptions,
  syncOptionChoices,
  syncOptionProblem,
  syncOptions,
  syncOptionTable,
  tenantSyncOptions,
} from './sync/sync-options.ts';
export { isFailed, type SyncTask, type TaskPhase, type TaskResult, type TaskState } from './sync/sync-task.ts';
export { waveOf } from './sync/wave.ts';
export {
  createTracker,
  defaultTracker,
  defaultTracking,
  ownerOf,
  parseTrackingId,
  type TrackingSettings,
  trackingAnnotation,
  trackingId,
  trackingMethods,
  trackingName,
} from './tracking.ts';
export { trackingProblem } from './tracking-problem.ts';
