import { memoized } from '../collections.ts';

/**
 * The address of a repository, a chart repository, a registry or a file, parsed once. Permissions, credentials and webhooks compare its
 * parts, never its text: a query cannot be mistaken for a host, nor a user name for a path.
 */
export interface RepositoryUrl {
  /** Lower case. Registries are often written without a scheme; it is `oci` then, and `written` is false. */
  readonly scheme: string;
  readonly schemeWritten: boolean;
  /** Empty if the address has no user. */
  readonly user: string;
  /** Lower case, without a trailing dot; IPv6 in brackets. Empty for `file`. */
  readonly host: string;
  /** Undefined if it is the default port of the scheme. */
  readonly port: number | undefined;
  /** Decoded, with its leading slash; `host:path` of SSH has none, since it is relative to the home directory. */
  readonly path: string;
  /** As written, for requests. */
  readonly encodedPath: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
}

export type ParsedRepositoryUrl =
  | { readonly url: RepositoryUrl; readonly problem?: never }
  | { readonly url?: never; readonly problem: string };

const maxLength = 4096;
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443, ssh: 22, git: 9418, oci: 443 };
const sshSchemes: readonly string[] = ['ssh', 'git+ssh', 'ssh+git'];
const hostPattern = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/u;
const userPattern = /^[A-Za-z0-9_][\w.+-]*$/u;

/**
 * Parses an address. A problem is the end of a sentence about it, and contains no password. Cached, because every refresh parses the same
 * addresses.
 */
export const parseRepositoryUrl: (written: string) => ParsedRepositoryUrl = memoized(parse);

function parse(written: string): ParsedRepositoryUrl {
  const text = written.trim();
  if (text === '') return problem('the repository URL is empty: set repoURL');
  if (text.length > maxLength) return problem('the repository URL is too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (text.startsWith('-') || /[\u0000-\u001f\u007f]/u.test(text) || /^[\w+.-]*::/u.test(text)) {
    return problem(`${JSON.stringify(withoutUser(text))} is not a repository URL`);
  }
  if (text.startsWith('/')) return local(text, text);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return withScheme(text);
  return isRegistryText(text) ? registry(text) : scp(text);
}

/** `host/path` and `host:5000/path`; `host:path` is SSH. */
const isRegistryText = (text: string): boolean =>
  /^[^/@:\s]*[.:][^/@:\s]*(?:\/|$)/u.test(text) && !/^[^/:]+:(?!\d+(?:\/|$))/u.test(text);

function withScheme(text: string): ParsedRepositoryUrl {
  if (!URL.canParse(text)) return problem(`${withoutUser(text)} is not a valid URL`);
  const url = new URL(text);
  const written = url.protocol.slice(0, -1);
  const shown = withoutUser(`${url.protocol}//${url.host}${url.pathname}`);
  if (url.password !== '') return problem(`${shown}: a URL may not hold a password: store it as credentials`);
  if (url.hash !== '') return problem(`${shown}: a repository URL has no query and no fragment`);
  const path = decoded(url.pathname);
  if (path === undefined) return problem(`${shown} is not a valid URL: its path has an invalid % sequence`);
  if (written === 'file') {
    if (url.host !== '' && url.host !== 'localhost')
      return problem(`${shown}: a file URL has three slashes, file:///path`);
    return local(path, url.pathname);
  }
  const scheme = sshSchemes.includes(written) ? 'ssh' : written;
  const host = canonicalHost(url.hostname);
  const user = decoded(url.username);
  if (host === undefined || user === undefined || (scheme === 'ssh' && user !== '' && !userPattern.test(user)))
    return problem(`${JSON.stringify(withoutUser(text))} is not a repository URL`);
  const port = url.port === '' || Number(url.port) === defaultPorts[scheme] ? undefined : Number(url.port);
  return checked({ scheme, schemeWritten: true, user, host, port, path, encodedPath: url.pathname, query: url.search });
}

function registry(text: string): ParsedRepositoryUrl {
  const parsed = withScheme(`oci://${text}`);
  return parsed.url ? { url: { ...parsed.url, schemeWritten: false } } : parsed;
}

/** `user@host:path`, the scp syntax. */
function scp(text: string): ParsedRepositoryUrl {
  const match = /^(?:([^@/:\s]+)@)?(\[[^\]]*\]|[^/:@\s]+):(?!\/\/)(.+)$/u.exec(text);
  if (!match)
    return problem(
      `${withoutUser(text)} is not a repository URL: use https://…, ssh://…, git@host:path or an absolute path`,
    );
  const [, user = '', host = '', path = ''] = match;
  const canonical = canonicalHost(host);
  if (canonical === undefined || (user !== '' && !userPattern.test(user)))
    return problem(`${JSON.stringify(withoutUser(text))} is not a repository URL`);
  const parts = { scheme: 'ssh', schemeWritten: false, user, host: canonical, port: undefined };
  return checked({ ...parts, path, encodedPath: path, query: '' });
}

function local(path: string, encodedPath: string): ParsedRepositoryUrl {
  const parts = { scheme: 'file', schemeWritten: encodedPath !== path, user: '', host: '', port: undefined };
  return checked({ ...parts, path, encodedPath, query: '' });
}

/** Rejects paths that a server could interpret as another path, or a program as an option. */
function checked(url: RepositoryUrl): ParsedRepositoryUrl {
  const { scheme, path } = url;
  const names = path.split(/[/\\]/u);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const unsafe = /[\u0000-\u001f\u007f]/u.test(path) || (scheme !== 'file' && names.includes('..'));
  const asOption = scheme === 'ssh' && /^\/?(?:-|$)/u.test(path);
  if (unsafe || asOption)
    return problem(`${JSON.stringify(withoutUser(formatRepositoryUrl(url)))} is not a repository URL`);
  return { url };
}

/** The canonical text of the address; without the user. */
export function formatRepositoryUrl({ scheme, host, port, encodedPath }: RepositoryUrl): string {
  const separator = encodedPath === '' || encodedPath.startsWith('/') ? '' : '/';
  return `${scheme}://${authority(host, port)}${separator}${encodedPath}`;
}

export const authority = (host: string, port: number | undefined): string =>
  port === undefined ? host : `${host}:${port}`;

/** The canonical spelling of a host, as in browsers and `curl`: `0x7f.1` is 127.0.0.1. Undefined if it is not a host name. */
function canonicalHost(host: string): string | undefined {
  const read = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : '';
  const name = read.replace(/\.$/u, '');
  return hostPattern.test(name) ? name : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Up to the last `@`: a password may contain any character. */
const withoutUser = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/isu, '$1');

const problem = (text: string): ParsedRepositoryUrl => ({ problem: text });
