import type { KubeObject } from '@fairlead/apimachinery';
import { agentKind } from './agent.ts';
import { appProjectKind } from './app-project.ts';
import { applicationKind } from './application.ts';
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

export * from './agent.ts';
export * from './app-project.ts';
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
export * from './application.ts';
export * from './crd.ts';
export * from './defaults.ts';
export * from './gitops/index.ts';
export * from './image-updater.ts';
export * from './kind.ts';
export * from './pre-pull/index.ts';
export type { Schema, Static, StructuralSchema } from './schema.ts';
export * as schema from './schema.ts';
export * from './validate.ts';

/** Every kind that Fairlead brings a CustomResourceDefinition for. */
export const kinds: readonly Kind<KubeObject>[] = [
  applicationKind,
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
