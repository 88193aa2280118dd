import type { Status } from './status.ts';

/** The error reasons of a Kubernetes API server. */
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

/** An error response of the API server, with the complete Status. */
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

  /** Whether the same request may succeed later without a change by the caller. */
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
/** For an unknown kind, a server responds with a 404 that names no object. */
export const isUnknownKind = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 404 && !error.status.details?.name;
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.reason === 'Conflict';
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'AlreadyExists';
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);

export const badRequest = (message: string): ApiError => apiError(400, 'BadRequest', message);

/** The object, or undefined if the server responds 404. Any other error is thrown. */
export async function find<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
