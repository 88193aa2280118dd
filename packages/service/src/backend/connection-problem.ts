/** Why a tenant's cluster or repository cannot be used, with the reason that its condition carries. */
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
  | 'QuotaExceeded';

/** What others than the tenant may put right: a server comes back, a repository is made, an administrator trusts an authority. */
const passing: readonly ConnectionReason[] = [
  'HostUnreachable',
  'RepositoryNotFound',
  'CertificateRefused',
  'UnknownHostKey',
];

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
