import type { AllowedNetworks } from '@fairlead/apimachinery';
import { identitySecrets, longWords, type RepositoryIdentity } from './tokens/identity.ts';

/**
 * Credentials and connection settings of a repository, a chart repository or a registry. All fields are optional: most repositories need
 * one or two.
 */
export interface RepositoryCredentials {
  /**
   * The name of its entry. Content that was read with one entry is never returned to a caller with another, so mirrors are separated by
   * this name; a new password under the same name uses the old mirror.
   */
  readonly name: string;
  /** `namespace/name` of the Secret that authenticates, for messages. */
  readonly secret?: string;
  readonly username?: string;
  readonly password?: string;
  readonly bearerToken?: string;
  /** Exchanged for a short-lived token by `RepositoryTokens`, if there is no password. */
  readonly identity?: RepositoryIdentity;
  /** Send the password preemptively: for servers that respond "not found" instead of 401. */
  readonly forceBasicAuth?: boolean;
  /** In PEM or OpenSSH form, without a passphrase. */
  readonly sshPrivateKey?: string;
  /** Lines of a known_hosts file, in addition to the global ones. */
  readonly knownHosts?: string;
  /** Accept any SSH host key. */
  readonly insecureIgnoreHostKey?: boolean;
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  /** CA certificates in PEM; those of the system if not given. */
  readonly ca?: string;
  /** Do not verify the certificate of the server. */
  readonly insecure?: boolean;
  /** `http://`, `https://` or `socks5://`. */
  readonly proxy?: string;
  /** Hosts that are reached without the proxy, as in NO_PROXY. */
  readonly noProxy?: string;
  /** Read large files of Git LFS instead of their pointers. */
  readonly lfs?: boolean;
  /** Use plain HTTP for the registry. */
  readonly plainHttp?: boolean;
  /** The addresses that may be connected to; all if not given. */
  readonly networks?: AllowedNetworks;
}

/** Credentials, or none, for a project that may only connect to some addresses. Its content is not shared with others. */
export function withNetworks(
  credentials: RepositoryCredentials | undefined,
  networks: AllowedNetworks | undefined,
): RepositoryCredentials | undefined {
  if (!networks) return credentials;
  return { ...credentials, name: `${credentials?.name ?? ''} ${networks.key}`, networks };
}

/** How servers are authenticated, for all repositories. Read at each use, so that a change needs no restart. */
export interface Trust {
  /** Lines of a known_hosts file. */
  knownHosts?(): string;
  /** Certificates for a host, in PEM; undefined for the system's. */
  certificates?(host: string): string | undefined;
}

/** The parts of credentials that must not appear in a message. */
export function secretsOf(credentials: RepositoryCredentials | undefined): string[] {
  if (!credentials) return [];
  const { username = '', password, bearerToken, sshPrivateKey, clientCertificate, identity, proxy } = credentials;
  const secrets: string[] = [];
  if (password) secrets.push(password, encodeURIComponent(password), basicToken(username, password));
  if (bearerToken) secrets.push(bearerToken);
  for (const pem of [sshPrivateKey, clientCertificate?.key]) secrets.push(...longWords(pem ?? ''));
  secrets.push(...identitySecrets(identity));
  if (proxy && URL.canParse(proxy)) {
    const { password: proxyPassword } = new URL(proxy);
    if (proxyPassword) secrets.push(proxyPassword, decodeURIComponent(proxyPassword));
  }
  return secrets.filter((secret) => secret !== '');
}

/** Whether there is something that authenticates, besides settings of the connection. */
export const authenticates = (credentials: Partial<RepositoryCredentials> | undefined): boolean =>
  Boolean(
    credentials?.username ||
      credentials?.password ||
      credentials?.bearerToken ||
      credentials?.sshPrivateKey ||
      credentials?.clientCertificate ||
      credentials?.identity,
  );

/** The hosts that are reached without the proxy of a repository: those that it names, and this machine. */
export const withoutProxy = (noProxy = ''): string =>
  [...noProxy.split(','), 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',');

export const basicToken = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

/** An external text, without secrets that a server may have repeated in it. */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text
    .replaceAll(/(https?:\/\/)[^/@\s']+@/giu, '$1***@')
    .replaceAll(/(:\/\/[^/@:\s']*:)[^/@\s']+@/gu, '$1***@');
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) safe = safe.replaceAll(secret, '***');
  return safe;
}
