/** Why a source could not be read. */
export type SourceErrorReason =
  /** The author of the request must change it. */
  | 'InvalidUrl'
  | 'InvalidRevision'
  | 'NotSupported'
  /** What was asked for is not there, now. */
  | 'RevisionNotFound'
  | 'RepositoryNotFound'
  | 'ChartNotFound'
  | 'ObjectMissing'
  /** The server is not believed, or does not believe us. */
  | 'AuthenticationFailed'
  | 'UnknownHostKey'
  | 'CertificateRefused'
  /** The server, or the way to it, fails. */
  | 'RepositoryUnavailable'
  | 'GitMissing'
  | 'GpgMissing'
  /** What the server sent is not what it should be. */
  | 'InvalidIndex'
  | 'InvalidArchive'
  | 'DigestMismatch'
  | 'TooLarge';

const passing: ReadonlySet<SourceErrorReason> = new Set<SourceErrorReason>([
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
  /** Whether the same request may succeed later with nothing changed by its author. */
  readonly retriable: boolean;

  constructor(reason: SourceErrorReason, message: string) {
    super(message);
    this.name = 'SourceError';
    this.reason = reason;
    this.retriable = passing.has(reason);
  }
}
