/** Why something about an image could not be done. */
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
  /** What a file or a resource holds does not fit what is to be written. */
  | 'CannotWrite'
  /** The registry fails, or does not let us in. */
  | 'RegistryUnavailable'
  | 'RegistryRefused'
  | 'ImageNotFound'
  | 'TooLarge'
  | 'NotVerified'
  /** The repository fails, or refuses. */
  | 'PushRefused'
  | 'RepositoryUnavailable'
  /** A message from outside is not what it should be. */
  | 'InvalidWebhook';

const passing: ReadonlySet<ImagesErrorReason> = new Set<ImagesErrorReason>([
  'RegistryUnavailable',
  'RegistryRefused',
  'ImageNotFound',
  'NotVerified',
  'PushRefused',
  'RepositoryUnavailable',
]);

export class ImagesError extends Error {
  readonly reason: ImagesErrorReason;
  /** Whether trying again can help with nothing changed by the author. */
  readonly retriable: boolean;

  constructor(reason: ImagesErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImagesError';
    this.reason = reason;
    this.retriable = passing.has(reason);
  }
}
