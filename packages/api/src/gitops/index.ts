export * from './gitops-deployment.ts';
export * from './gitops-deployment-managed-environment.ts';
export * from './gitops-deployment-repository-credential.ts';
export * from './gitops-deployment-sync-run.ts';
export { condition as conditionSchema, gitopsGroup } from './group.ts';
export * from './operation.ts';
