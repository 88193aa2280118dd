import { pathToFileURL } from 'node:url';
import { memoized, parseRepositoryUrl, type RepositoryUrl } from '@fairlead/apimachinery';
import { SourceError } from '../source-error.ts';

/** The location of a repository, in the form that is passed to `git`. */
export interface GitUrl {
  /** Equal for all spellings of one repository: used for permissions and change notifications. */
  readonly key: string;
  /** The key of mirrors and refs: on a plain SSH server, `host:path` and `ssh://host/path` are two directories. */
  readonly identity: string;
  readonly url: string;
  readonly transport: 'http' | 'ssh' | 'git' | 'local';
  /** The directory, if the repository is on this machine. */
  readonly path?: string;
  readonly host?: string;
  readonly port?: number;
  /** The user in the URL. */
  readonly username?: string;
}

const refuse = (message: string): never => {
  throw new SourceError('InvalidUrl', message);
};

/** Parses a repoURL. Refuses anything that `git` or `ssh` could interpret as an option, a command or a transport helper. */
export const parseGitUrl: (repoUrl: string) => GitUrl = memoized(parse);

function parse(repoUrl: string): GitUrl {
  const { url, problem } = parseRepositoryUrl(repoUrl);
  if (!url) return refuse(problem);
  if (url.query !== '') refuse(`${addressOf(url)}: a repository URL has no query and no fragment`);
  switch (url.scheme) {
    case 'file':
      return local(url.path);
    case 'http':
    case 'https':
      return remote(url, 'http');
    case 'git':
      return remote(url, 'git');
    case 'ssh':
      return ssh(url);
    default:
      return url.schemeWritten
        ? refuse(`${url.scheme}:// is not a transport that Fairlead uses: use https://`)
        : refuse(
            `${repoUrl.trim()} is not a repository URL: use https://…, ssh://…, git@host:path or an absolute path`,
          );
  }
}

const addressOf = ({ scheme, host, port, encodedPath }: RepositoryUrl): string =>
  `${scheme}://${host}${port === undefined ? '' : `:${port}`}${encodedPath}`.replace(/\/+$/u, '');

function local(path: string): GitUrl {
  const tidy = path.replace(/\/+$/u, '') || '/';
  const key = pathToFileURL(tidy).href.replace(/\.git$/u, '');
  return { key, identity: key, url: tidy, path: tidy, transport: 'local' };
}

function remote(url: RepositoryUrl, transport: 'http' | 'git'): GitUrl {
  const address = addressOf(url);
  const key = address.replace(/\.git$/u, '');
  return { key, identity: key, url: address, transport, ...placeOf(url) };
}

/** `ssh://host/path` is an absolute path, `host:path` is relative to the home directory. */
function ssh(url: RepositoryUrl): GitUrl {
  const { user, host, path } = url;
  const fromRoot = path.startsWith('/');
  const login = user === '' ? '' : `${user}@`;
  const tidy = path.replace(/^\/+|\/+$/gu, '').replace(/\.git$/u, '');
  const key = `ssh://${login}${addressOf({ ...url, encodedPath: '' }).slice('ssh://'.length)}/${tidy}`;
  return {
    key,
    identity: fromRoot ? key : `${key} from the home folder`,
    url: url.schemeWritten
      ? addressOf(url).replace('ssh://', `ssh://${login}`)
      : `${login}${host}:${path.replace(/\/+$/u, '')}`,
    transport: 'ssh',
    ...placeOf(url),
  };
}

const placeOf = ({ host, port, user }: RepositoryUrl): Pick<GitUrl, 'host' | 'port' | 'username'> => ({
  host,
  ...(port === undefined ? {} : { port }),
  ...(user === '' ? {} : { username: user }),
});

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
