import { ApiError, messageOf } from '@fairlead/apimachinery';
import { type RpcCode, RpcError } from './rpc-error.ts';

const codes: Readonly<Record<string, RpcCode>> = {
  NotFound: 'NotFound',
  AlreadyExists: 'AlreadyExists',
  Invalid: 'InvalidArgument',
  BadRequest: 'InvalidArgument',
  MethodNotAllowed: 'Unimplemented',
  Conflict: 'Aborted',
  Unauthorized: 'Unauthenticated',
  Forbidden: 'PermissionDenied',
  Timeout: 'DeadlineExceeded',
  InternalError: 'Internal',
};

/** The error that a client receives: that of the Kubernetes API under the code that fits, anything else as Unknown. */
export function rpcErrorOf(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof ApiError) return new RpcError(codes[error.reason] ?? 'Unknown', error.message);
  return new RpcError('Unknown', messageOf(error));
}
