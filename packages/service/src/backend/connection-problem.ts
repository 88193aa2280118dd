/** Why a tenant's cluster or repository cannot be used, with the reason of its condition. */
export type ConnectionReason =
  | 'UnsupportedAPIURL'
  | 'HostNotPermitted'
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
  | 'QuotaExceeded'
  | 'OperationFailed';

/** Problems that others than the tenant may fix: a server becomes available, a repository is created, a certificate authority is trusted. */
const passing: readonly ConnectionReason[] = [
  'HostUnreachable',
  'RepositoryNotFound',
  'CertificateRefused',
  'UnknownHostKey',
];

export class ConnectionProblem extends Error {
  readonly reason: ConnectionReason;
  /** Whether a retry can help without a change by the tenant. */
  readonly retriable: boolean;

  constructor(reason: ConnectionReason, message: string) {
    super(message);
    this.name = 'ConnectionProblem';
    this.reason = reason;
    this.retriable = passing.includes(reason);
  }
}
