import type { Status } from './status.ts';

/** The reasons that a Kubernetes API server gives. */
export type StatusReason =
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'Timeout'
  | 'TooManyRequests'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** An answer of the API server that is not success. The Status is kept whole. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? `status ${status.code ?? 'unknown'}`);
    this.name = 'ApiError';
    this.status = status;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }

  /** Whether the same request may succeed later with nothing changed by the caller. */
  get retriable(): boolean {
    return this.code === 429 || this.code === 500 || this.code === 503 || this.code === 504;
  }
}

export function apiError(
  code: number,
  reason: StatusReason | undefined,
  message: string,
  details?: Status['details'],
): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code,
  });
}

export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.code === 401;
export const isForbidden = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 403;
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404;
/** For a kind that it does not know, a server answers with a 404 that names no object. */
export const isUnknownKind = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 404 && !error.status.details?.name;
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Conflict';
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'AlreadyExists';
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);

export const badRequest = (message: string): ApiError => apiError(400, 'BadRequest', message);

/** The object, or undefined when the server answers 404. Any other error is thrown. */
export async function find<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
