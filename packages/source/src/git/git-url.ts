import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceError } from '../source-error.ts';

/** Where a repository is, in the one form that is handed to `git`. */
export interface GitUrl {
  /** Equal for all spellings of one repository: what permissions and notices of change go by. */
  readonly key: string;
  /** What mirrors and lists of refs are kept by: on a plain SSH server, `host:path` and `ssh://host/path` are two folders. */
  readonly identity: string;
  readonly url: string;
  readonly transport: 'http' | 'ssh' | 'git' | 'local';
  /** The folder, where the repository is on this machine. */
  readonly path?: string;
  readonly host?: string;
  readonly port?: number;
  /** The user that the URL names. */
  readonly username?: string;
}

const refuse = (message: string): never => {
  throw new SourceError('InvalidUrl', message);
};

/** Reads a repoURL. Refuses anything that `git` or `ssh` could interpret as an option, a command or a transport helper. */
export function parseGitUrl(repoUrl: string): GitUrl {
  const text = repoUrl.trim();
  if (text === '') return refuse('the repository URL is empty: set repoURL');
  if (text.length > 4096) return refuse('the repository URL is too long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (text.startsWith('-') || /[\u0000-\u001f\u007f]/u.test(text) || /^[\w+.-]*::/u.test(text)) {
    return refuse(`${JSON.stringify(repoUrl)} is not a repository URL`);
  }
  if (isAbsolute(text)) return local(text);
  if (!/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return scpLike(text);
  const url = URL.canParse(text) ? new URL(text) : refuse(`${withoutPassword(text)} is not a valid URL`);
  if (url.password !== '') {
    refuse(`${url.protocol}//${url.host}${url.pathname}: a URL may not hold a password: store it as credentials`);
  }
  switch (url.protocol) {
    case 'file:':
      if (url.host !== '' && url.host !== 'localhost')
        return refuse(`${repoUrl}: a file URL has three slashes, file:///path`);
      return local(fileURLToPath(new URL(url.pathname, 'file:///')));
    case 'http:':
    case 'https:':
      return remote(url, 'http');
    case 'git:':
      return remote(url, 'git');
    case 'ssh:':
    case 'git+ssh:':
    case 'ssh+git:':
      return ssh(text, url);
    default:
      return refuse(`${url.protocol}// is not a transport that Fairlead uses: use https://`);
  }
}

const withoutPassword = (text: string): string => text.replace(/\/\/[^/@]*@/u, '//');

function local(path: string): GitUrl {
  const tidy = path.replace(/\/+$/u, '') || '/';
  const key = pathToFileURL(tidy).href.replace(/\.git$/u, '');
  return { key, identity: key, url: tidy, path: tidy, transport: 'local' };
}

function remote(url: URL, transport: 'http' | 'git'): GitUrl {
  if (url.hash !== '' || url.search !== '') {
    refuse(`${url.protocol}//${url.host}${url.pathname}: a repository URL has no query and no fragment`);
  }
  const path = url.pathname.replace(/\/+$/u, '');
  const key = `${url.protocol}//${url.host.toLowerCase()}${path.replace(/\.git$/u, '')}`;
  return {
    key,
    identity: key,
    url: `${url.protocol}//${url.host}${path}`,
    transport,
    ...place(url.hostname, url.port),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
  };
}

const place = (host: string, port: string): { host: string; port?: number } => ({
  host: host.toLowerCase(),
  ...(port === '' ? {} : { port: Number(port) }),
});

const hostName = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\])$/u;
const userName = /^[A-Za-z0-9_][\w.+-]*$/u;

/** `user@host:path`, as `scp` has it. */
function scpLike(text: string): GitUrl {
  const match = /^(?:([^@/:\s]+)@)?(\[[^\]]*\]|[^/:@\s]+):(?!\/\/)(.+)$/u.exec(text);
  if (!match)
    return refuse(`${text} is not a repository URL: use https://…, ssh://…, git@host:path or an absolute path`);
  const [, user, host = '', path = ''] = match;
  checkSsh(text, user, host, path);
  return sshUrl({ user, host, path, url: `${user ? `${user}@` : ''}${host}:${path.replace(/\/+$/u, '')}` });
}

function ssh(text: string, url: URL): GitUrl {
  const host = url.hostname;
  const user = url.username === '' ? undefined : decodeURIComponent(url.username);
  const path = safeDecode(url.pathname) ?? refuse(`${text} is not a valid URL`);
  if (url.hash !== '' || url.search !== '') refuse(`${text}: a repository URL has no query and no fragment`);
  checkSsh(text, user, host, path.slice(1));
  const address = `${user ? `${user}@` : ''}${host}${url.port === '' ? '' : `:${url.port}`}`;
  return sshUrl({ user, host, port: url.port, path, url: `ssh://${address}${url.pathname.replace(/\/+$/u, '')}` });
}

function safeDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function checkSsh(text: string, user: string | undefined, host: string, path: string): void {
  const plain = !path.startsWith('-') && path !== '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!hostName.test(host) || (user !== undefined && !userName.test(user)) || !plain || /[\u0000-\u001f]/u.test(path)) {
    refuse(`${JSON.stringify(text)} is not a repository URL`);
  }
}

interface SshParts {
  readonly user: string | undefined;
  readonly host: string;
  readonly port?: string;
  readonly path: string;
  readonly url: string;
}

function sshUrl({ user, host, port = '', path, url }: SshParts): GitUrl {
  const tidy = path.replace(/\/+$/u, '').replace(/\.git$/u, '');
  const key = `ssh://${user ? `${user}@` : ''}${host.toLowerCase()}${port === '' || port === '22' ? '' : `:${port}`}/${tidy.replace(/^\/+/u, '')}`;
  return {
    key,
    identity: path.startsWith('/') ? key : `${key} from the home folder`,
    url,
    transport: 'ssh',
    ...place(host, port),
    ...(user === undefined ? {} : { username: user }),
  };
}

/** The normalized form of a repoURL, for comparison. A URL that cannot be parsed is returned unchanged. */
export function normalizeGitUrl(repoUrl: string): string {
  try {
    return parseGitUrl(repoUrl).key;
  } catch {
    return repoUrl
      .trim()
      .toLowerCase()
      .replace(/\/+$/u, '')
      .replace(/\.git$/u, '');
  }
}

/** Whether two repositories are on the same server with the same protocol, so that credentials for one may be sent to the other. */
export function sameHost(a: string, b: string): boolean {
  const origin = (repoUrl: string): string => {
    const { transport, host, port, url } = parseGitUrl(repoUrl);
    if (host === undefined) return '';
    return `${transport === 'http' ? new URL(url).protocol : transport} ${host} ${port ?? ''}`;
  };
  const [first, second] = [origin(a), origin(b)];
  return first !== '' && first === second;
}
