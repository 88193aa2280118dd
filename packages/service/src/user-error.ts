/** An error that the tenant must fix. It is reported in a condition of the resource, and not retried until the resource changes. */
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
