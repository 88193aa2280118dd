import type { KubeObject } from '@fairlead/apimachinery';
import { agentKind } from './agent.ts';
import { appProjectKind } from './app-project.ts';
import { applicationKind } from './application.ts';
import { applicationSetKind } from './application-set.ts';
import {
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsDeploymentSyncRunKind,
  gitopsOperationKind,
} from './gitops/index.ts';
import { imageUpdaterKind } from './image-updater.ts';
import type { Kind } from './kind.ts';
import { prePullImageKind, prePullPolicyKind } from './pre-pull/index.ts';

export { type Agent, agentKind } from './agent.ts';
export { type AppProject, allowedNetworksAnnotation, appProjectKind } from './app-project.ts';
export type { Operation, RetryStrategy, SyncOperation } from './application/operation.ts';
export type { ApplicationSource, DirectorySource } from './application/source.ts';
export type { ApplicationDestination, ApplicationSpec, IgnoreDifference, SyncPolicy } from './application/spec.ts';
export type {
  ApplicationCondition,
  ApplicationStatus,
  OperationState,
  ResourceResult,
  ResourceStatus,
  RevisionHistory,
  SyncStatus,
} from './application/status.ts';
export { type Application, applicationKind } from './application.ts';
export type { Generator, LabelSelectorSpec } from './application-set/generators.ts';
export type { ApplicationSetCondition, ApplicationSetStatus, RolloutStatus } from './application-set/status.ts';
export type { ApplicationSetTemplate } from './application-set/template.ts';
export {
  type ApplicationSet,
  type ApplicationSetSpec,
  type ApplicationsSyncPolicy,
  applicationSetKind,
  applicationsSyncPolicies,
} from './application-set.ts';
export { crdOf, crdYaml } from './crd.ts';
export { applyDefaults } from './defaults.ts';
export {
  type GitOpsDeployment,
  type GitOpsDeploymentCondition,
  type GitOpsDeploymentManagedEnvironment,
  type GitOpsDeploymentManagedEnvironmentSpec,
  type GitOpsDeploymentRepositoryCredential,
  type GitOpsDeploymentSpec,
  type GitOpsDeploymentStatus,
  type GitOpsDeploymentSyncRun,
  type GitOpsOperation,
  gitopsDeploymentKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsDeploymentSyncRunKind,
  gitopsGroup,
  gitopsOperationKind,
} from './gitops/index.ts';
export { applicationTypes } from './go-types/application-types.ts';
export { buildTypes } from './go-types/build-types.ts';
export {
  type ApplicationRef,
  type ImageConfig,
  type ImagesVerification,
  type ImageUpdater,
  type ImageUpdaterCondition,
  type ImageUpdateSettings,
  imageUpdaterKind,
  type LabelSelectors,
  type ManifestTargets,
  type WriteBackConfig,
} from './image-updater.ts';
export type { Kind } from './kind.ts';
export { defineKind } from './kind.ts';
export {
  type NodePullStatus,
  type PrePullImage,
  type PrePullImageSpec,
  type PrePullImageStatus,
  type PrePullPolicy,
  prePullImageKind,
  prePullPolicyKind,
  type WorkloadKind,
  workloadKinds,
} from './pre-pull/index.ts';
export type { Schema, Static, StructuralSchema } from './schema.ts';
export * as schema from './schema.ts';
export { type FieldProblem, firstProblem, validate } from './validate.ts';

/** Every kind with a CustomResourceDefinition of Fairlead. */
export const kinds: readonly Kind<KubeObject>[] = [
  applicationKind,
  applicationSetKind,
  appProjectKind,
  imageUpdaterKind,
  prePullImageKind,
  prePullPolicyKind,
  gitopsDeploymentKind,
  gitopsDeploymentSyncRunKind,
  gitopsDeploymentManagedEnvironmentKind,
  gitopsDeploymentRepositoryCredentialKind,
  gitopsOperationKind,
  agentKind,
];
