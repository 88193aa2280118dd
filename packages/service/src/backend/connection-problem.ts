/** Why a tenant's cluster or repository cannot be used, with the reason that its condition carries. */
export type ConnectionReason =
  | 'UnsupportedAPIURL'
  | 'SecretNotFound'
  | 'InvalidSecretType'
  | 'MissingKubeConfigField'
  | 'UnableToParseKubeconfigData'
  | 'UnableToLocateContext'
  | 'UnableToCreateClient'
  | 'InvalidNamespaceList'
  | 'HostUnreachable'
  | 'CertificateRefused'
  | 'UnableToValidateClusterCredentials'
  | 'UnableToInstallServiceAccount'
  | 'InvalidRepositoryUrl'
  | 'InvalidCredentials'
  | 'RepositoryNotFound'
  | 'UnknownHostKey'
  | 'QuotaExceeded';

const passing: readonly ConnectionReason[] = ['HostUnreachable', 'RepositoryNotFound'];

export class ConnectionProblem extends Error {
  readonly reason: ConnectionReason;
  /** Whether trying again may help with nothing changed by the tenant. */
  readonly retriable: boolean;

  constructor(reason: ConnectionReason, message: string) {
    super(message);
    this.name = 'ConnectionProblem';
    this.reason = reason;
    this.retriable = passing.includes(reason);
  }
}
