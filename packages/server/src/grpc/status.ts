import { type RpcError, rpcCodes } from '../rpc/rpc-error.ts';

/** The trailers that end a call; none of the error if it succeeded. */
export function statusTrailers(error?: RpcError): Record<string, string> {
  if (!error) return { 'grpc-status': '0' };
  return {
    'grpc-status': String(rpcCodes[error.code]),
    ...(error.message === '' ? {} : { 'grpc-message': encodeStatusMessage(error.message) }),
  };
}

/** Percent encoding of gRPC: printable ASCII stays, except for the percent sign. */
export function encodeStatusMessage(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text)) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += isPlain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
