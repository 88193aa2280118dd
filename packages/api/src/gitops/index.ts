export {
  type GitOpsDeployment,
  type GitOpsDeploymentCondition,
  type GitOpsDeploymentSpec,
  type GitOpsDeploymentStatus,
  gitopsDeploymentKind,
} from './gitops-deployment.ts';
export {
  type GitOpsDeploymentManagedEnvironment,
  type GitOpsDeploymentManagedEnvironmentSpec,
  gitopsDeploymentManagedEnvironmentKind,
} from './gitops-deployment-managed-environment.ts';
export {
  type GitOpsDeploymentRepositoryCredential,
  gitopsDeploymentRepositoryCredentialKind,
} from './gitops-deployment-repository-credential.ts';
export { type GitOpsDeploymentSyncRun, gitopsDeploymentSyncRunKind } from './gitops-deployment-sync-run.ts';
export { gitopsGroup } from './group.ts';
export { type GitOpsOperation, gitopsOperationKind } from './operation.ts';
