/** Why a source could not be read. */
export type SourceErrorReason =
  /** The author of the request must change it. */
  | 'InvalidUrl'
  | 'InvalidRevision'
  | 'NotSupported'
  /** The project may not connect to the address of the server. */
  | 'AddressRefused'
  /** The server has moved it: see `RedirectError`. */
  | 'Redirected'
  /** It does not exist. */
  | 'RevisionNotFound'
  | 'RepositoryNotFound'
  | 'ChartNotFound'
  | 'ObjectMissing'
  /** Authentication of the client or the server failed. */
  | 'AuthenticationFailed'
  | 'UnknownHostKey'
  | 'CertificateRefused'
  /** The server or the network fails. */
  | 'RepositoryUnavailable'
  | 'GitMissing'
  | 'GpgMissing'
  /** The response of the server is invalid. */
  | 'InvalidIndex'
  | 'InvalidArchive'
  | 'DigestMismatch'
  | 'TooLarge';

const retriable: ReadonlySet<SourceErrorReason> = new Set<SourceErrorReason>([
  'RepositoryUnavailable',
  'GpgMissing',
  'RevisionNotFound',
  'RepositoryNotFound',
  'ChartNotFound',
  'AuthenticationFailed',
  'UnknownHostKey',
  'CertificateRefused',
  'InvalidIndex',
  'DigestMismatch',
]);

export class SourceError extends Error {
  readonly reason: SourceErrorReason;
  /** Whether the same request may succeed later without a change by its author. */
  readonly retriable: boolean;

  constructor(reason: SourceErrorReason, message: string) {
    super(message);
    this.name = 'SourceError';
    this.reason = reason;
    this.retriable = retriable.has(reason);
  }
}
