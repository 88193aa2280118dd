import type { RpcCode } from '../rpc/rpc-error.ts';

/** The HTTP status of each gRPC status, as Argo CD's gateway maps them. */
export const httpStatus: Readonly<Record<RpcCode, number>> = {
  OK: 200,
  Canceled: 408,
  Unknown: 500,
  InvalidArgument: 400,
  DeadlineExceeded: 504,
  NotFound: 404,
  AlreadyExists: 409,
  PermissionDenied: 403,
  ResourceExhausted: 429,
  FailedPrecondition: 400,
  Aborted: 409,
  OutOfRange: 400,
  Unimplemented: 501,
  Internal: 500,
  Unavailable: 503,
  DataLoss: 500,
  Unauthenticated: 401,
};
