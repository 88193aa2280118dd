import { parseRepositoryUrl, permissionText } from '@fairlead/apimachinery';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { SourceError } from '../source-error.ts';

/** A server redirects to another repository. The caller decides whether to follow, since its project must permit it. */
export class RedirectError extends SourceError {
  readonly target: string;

  constructor(from: string, target: string) {
    super('Redirected', `${from} redirects to ${target}`);
    this.name = 'RedirectError';
    this.target = target;
  }
}

/** Whether a redirect only changes the spelling of the address: with `https`, a slash, or `.git`. */
export function isSameAddress(from: string, target: string): boolean {
  const [a, b] = [from, target].map((text) => parseRepositoryUrl(text).url);
  if (!a || !b || a.query !== b.query) return false;
  const upgraded = a.scheme === 'http' && b.scheme === 'https';
  return (a.scheme === b.scheme || upgraded) && permissionText({ ...a, scheme: b.scheme }) === permissionText(b);
}

/** Credentials for the target of a redirect: secrets are sent to no other host, connection rules are kept. */
export function credentialsAfterRedirect(
  from: string,
  target: string,
  credentials: RepositoryCredentials | undefined,
): RepositoryCredentials | undefined {
  return isSameServer(from, target) ? credentials : reachOnly(credentials);
}

function isSameServer(from: string, target: string): boolean {
  const [a, b] = [from, target].map((text) => parseRepositoryUrl(text).url);
  return a !== undefined && b !== undefined && a.host === b.host && a.port === b.port && a.scheme === b.scheme;
}

/** The non-secret part of credentials, for a server on another host. */
export function reachOnly(credentials: RepositoryCredentials | undefined): RepositoryCredentials | undefined {
  if (!credentials) return undefined;
  const { name, proxy, noProxy, networks } = credentials;
  return { name, ...(proxy ? { proxy } : {}), ...(noProxy ? { noProxy } : {}), ...(networks ? { networks } : {}) };
}
