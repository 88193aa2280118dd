import type { ApplicationSource } from '@fairlead/api';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source';

/** The source of an Application, and the requested part of it. */
export interface FailedSource {
  readonly source: ApplicationSource;
  readonly index: number;
  readonly count: number;
  /** The revision to resolve; undefined once it is resolved: other repositories may be read then. */
  readonly requested?: string;
}

/** A source that cannot be read or rendered: there is no target state. The message equals that of Argo CD, which calls its repo server. */
export class TargetStateError extends Error {
  /** Whether the same request may succeed later with nothing changed by its author. */
  readonly retriable: boolean;
  /** Whether the server of the source failed, rather than the requested content being missing. */
  readonly unavailable: boolean;

  constructor(cause: RenderError | SourceError, source: FailedSource) {
    super(`${prefixOf(source)}: rpc error: code = ${codeOf(cause)} desc = ${descriptionOf(cause, source)}`, { cause });
    this.name = 'TargetStateError';
    this.retriable = cause instanceof SourceError && cause.retriable;
    this.unavailable = cause instanceof SourceError && cause.reason === 'RepositoryUnavailable';
  }
}

/** Converts errors of sources to TargetStateErrors; others are unchanged. */
export const asTargetStateError = (error: unknown, source: FailedSource): unknown =>
  error instanceof RenderError || error instanceof SourceError ? new TargetStateError(error, source) : error;

const prefixOf = ({ index, count }: FailedSource): string =>
  `Failed to load target state: failed to generate manifest for source ${index + 1} of ${count}`;

const isObjectId = (revision: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.test(revision);

/** Argo CD's code for a file that is not a manifest; all other errors of its repo server have none. */
const codeOf = (cause: RenderError | SourceError): string =>
  cause instanceof RenderError && cause.reason === 'InvalidManifest' ? 'FailedPrecondition' : 'Unknown';

function descriptionOf(cause: RenderError | SourceError, { source, requested }: FailedSource): string {
  const { reason, message } = cause;
  const isGit = !source.chart && !source.repoURL.startsWith('oci://');
  if (!isGit || requested === undefined || isObjectId(requested)) return message;
  if (reason === 'RevisionNotFound') return `unable to resolve '${requested}' to a commit SHA: revision not found`;
  if (reason === 'RepositoryNotFound') return 'failed to list refs: repository not found';
  if (reason === 'AuthenticationFailed') return `failed to list refs: authentication required: ${message}`;
  return message;
}
