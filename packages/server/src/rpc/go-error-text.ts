import { goError, RpcError } from './rpc-error.ts';

/** The text of an error as Go puts it into another message. */
export const goErrorText = (error: Error): string => (error instanceof RpcError ? goError(error) : error.message);
