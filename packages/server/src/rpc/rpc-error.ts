/** Codes of gRPC statuses by name. */
export const rpcCodes = {
  OK: 0,
  Canceled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  ResourceExhausted: 8,
  FailedPrecondition: 9,
  Aborted: 10,
  OutOfRange: 11,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
  DataLoss: 15,
  Unauthenticated: 16,
} as const;

export type RpcCode = keyof typeof rpcCodes;

/** The reason why a call failed, as clients see it: through REST as an HTTP status, through gRPC as it is. */
export class RpcError extends Error {
  readonly code: RpcCode;

  constructor(code: RpcCode, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

export const invalidArgument = (message: string): RpcError => new RpcError('InvalidArgument', message);
export const notFound = (message: string): RpcError => new RpcError('NotFound', message);

/** Says nothing about what exists. */
export const permissionDenied = (message = 'permission denied'): RpcError => new RpcError('PermissionDenied', message);

/** An error as Go prints it inside of another message. */
export const goError = (error: RpcError): string =>
  error.code === 'Unknown' ? error.message : `rpc error: code = ${error.code} desc = ${error.message}`;
