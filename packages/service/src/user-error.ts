/** What a tenant has to put right. Each is shown in a condition of the resource that it is about, and is not tried again until that changes. */
export type UserErrorReason =
  | 'InvalidSpec'
  | 'InvalidType'
  | 'InvalidSyncOption'
  | 'InvalidPath'
  | 'InvalidRepository'
  | 'HostNotPermitted'
  | 'NamespaceWithoutEnvironment'
  | 'InvalidNamespace'
  | 'EnvironmentNotFound'
  | 'EnvironmentNotReady'
  | 'NamespaceNotPermitted'
  | 'QuotaExceeded'
  | 'OperationFailed'
  | 'Orphaned'
  | 'DeploymentNotManual'
  | 'ImmutableField';

export class UserError extends Error {
  readonly reason: UserErrorReason;

  constructor(reason: UserErrorReason, message: string) {
    super(message);
    this.name = 'UserError';
    this.reason = reason;
  }
}
