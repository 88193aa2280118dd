import { ApiError, isForbidden, isUnauthorized } from '@fairlead/apimachinery';
import { TransportError } from '@fairlead/kube';
import { briefMessage } from '../brief-error.ts';
import { CliError } from '../cli-error.ts';
import type { ServerAccess } from './find-server.ts';

/** Why a certificate is not trusted, by the code of OpenSSL. */
const untrusted: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its CA is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its CA is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its CA is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'its CA is not known here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};

/** Why the certificate of a server is not trusted; undefined if the error is another. */
export const trustProblem = (error: unknown): string | undefined =>
  error instanceof TransportError ? untrusted[error.code] : undefined;

/** A request that the API refused, with a server or without one. */
export const refusal = (error: ApiError): CliError =>
  new CliError(`the request was refused: ${briefMessage(error)}`, { cause: error });

/** An error of the API server as one sentence that says what to do. */
export function serverError(error: unknown, { address, url, token }: ServerAccess): unknown {
  const said = (message: string): CliError => new CliError(message, { cause: error });
  const why = trustProblem(error);
  if (why !== undefined)
    return said(
      `the certificate of ${address} is not trusted: ${why}. Trust its CA with --server-crt FILE, or accept any certificate with --insecure`,
    );
  if (error instanceof TransportError) {
    if (error.code === 'EPROTO' || error.code === 'ERR_SSL_WRONG_VERSION_NUMBER')
      return said(`the server at ${address} does not use TLS: add --plaintext`);
    return said(
      `the server at ${url} does not respond (${error.code || error.message}): check its address, or choose another with --server or fairlead context NAME`,
    );
  }
  if (error instanceof ApiError && isUnauthorized(error)) {
    const what = token === undefined ? 'requires a session' : `refuses the token: ${error.message}`;
    return said(`the server at ${address} ${what}. Sign in with fairlead login ${address}, or set FAIRLEAD_AUTH_TOKEN`);
  }
  if (isForbidden(error))
    return said(
      `not permitted: ${error.message}. Ask for this right in the policy of ${address}, or use another account`,
    );
  if (!(error instanceof ApiError)) return error;
  if (error.code === 307) return said(`the server at ${address} uses TLS: connect without --plaintext`);
  if (error.code === 501) return said(`the server at ${address} does not support this: ${error.message}`);
  return refusal(error);
}
