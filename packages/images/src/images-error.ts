/** Why an operation on an image failed. */
export type ImagesErrorReason =
  /** The author of an annotation or resource must change it. */
  | 'InvalidImage'
  | 'InvalidConstraint'
  | 'InvalidFilter'
  | 'InvalidStrategy'
  | 'InvalidSettings'
  | 'InvalidTemplate'
  | 'InvalidCredentials'
  | 'CredentialsForbidden'
  | 'InvalidTarget'
  | 'NotSupported'
  /** The content of a file or a resource does not match what is to be written. */
  | 'CannotWrite'
  /** The registry fails, or denies access. */
  | 'RegistryUnavailable'
  | 'RegistryRefused'
  | 'ImageNotFound'
  | 'TooLarge'
  | 'NotVerified'
  /** The repository fails, or denies access. */
  | 'PushRefused'
  | 'PullRequestRefused'
  | 'RepositoryUnavailable'
  /** An external message is invalid. */
  | 'InvalidWebhook';

const passing: ReadonlySet<ImagesErrorReason> = new Set<ImagesErrorReason>([
  'RegistryUnavailable',
  'RegistryRefused',
  'ImageNotFound',
  'NotVerified',
  'PushRefused',
  'PullRequestRefused',
  'RepositoryUnavailable',
]);

export class ImagesError extends Error {
  readonly reason: ImagesErrorReason;
  /** Whether a retry can help without a change by the author. */
  readonly retriable: boolean;

  constructor(reason: ImagesErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImagesError';
    this.reason = reason;
    this.retriable = passing.has(reason);
  }
}
