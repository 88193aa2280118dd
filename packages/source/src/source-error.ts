/** Why a source could not be read. */
export type SourceErrorReason =
  | 'InvalidUrl'
  | 'InvalidRevision'
  | 'NotSupported'
  | 'RevisionNotFound'
  | 'RepositoryUnavailable'
  | 'GitMissing'
  | 'ObjectMissing';

export class SourceError extends Error {
  readonly reason: SourceErrorReason;
  /** Whether the same request may succeed later with nothing changed by its author. */
  readonly retriable: boolean;

  constructor(reason: SourceErrorReason, message: string) {
    super(message);
    this.name = 'SourceError';
    this.reason = reason;
    this.retriable = reason === 'RepositoryUnavailable' || reason === 'RevisionNotFound';
  }
}
