import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceError } from './source-error.ts';

/** Where a repository is, in the one form that is handed to `git`. */
export interface GitUrl {
  /** Equal for all spellings of one repository: what mirrors and ref caches are keyed by. */
  readonly key: string;
  readonly url: string;
  /** The folder, where the repository is on this machine. */
  readonly path?: string;
}

const refuse = (message: string): never => {
  throw new SourceError('InvalidUrl', message);
};

/** Reads a repoURL. What `git` could take for an option, a command or a transport helper never gets past here. */
export function parseGitUrl(repoUrl: string): GitUrl {
  const text = repoUrl.trim();
  if (text === '') return refuse('the repository URL is empty: set repoURL');
  if (text.startsWith('-') || /[\0\n\r]/u.test(text) || text.includes('::')) {
    return refuse(`${JSON.stringify(repoUrl)} is not a repository URL`);
  }
  if (isAbsolute(text)) return local(text);
  if (!/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) {
    if (/^[^/\s]+@?[^/\s]*:/u.test(text)) throw unsupported(repoUrl, 'SSH');
    return refuse(`${repoUrl} is not a repository URL: use https://…, file:///… or an absolute path`);
  }
  const url = URL.canParse(text) ? new URL(text) : refuse(`${repoUrl} is not a valid URL`);
  switch (url.protocol) {
    case 'file:':
      if (url.host !== '' && url.host !== 'localhost')
        return refuse(`${repoUrl}: a file URL has three slashes, file:///path`);
      return local(fileURLToPath(new URL(url.pathname, 'file:///')));
    case 'http:':
    case 'https:':
      return remote(url);
    case 'ssh:':
    case 'git+ssh:':
      throw unsupported(repoUrl, 'SSH');
    default:
      return refuse(`${url.protocol}// is not a transport that Fairlead uses: use https://`);
  }
}

const unsupported = (url: string, what: string): SourceError =>
  new SourceError('NotSupported', `${url}: repositories over ${what} are not supported yet: use https://`);

function local(path: string): GitUrl {
  const tidy = path.replace(/\/+$/u, '') || '/';
  return { key: pathToFileURL(tidy).href.replace(/\.git$/u, ''), url: tidy, path: tidy };
}

function remote(url: URL): GitUrl {
  if (url.username !== '' || url.password !== '') {
    refuse(`${url.protocol}//${url.host}${url.pathname}: a URL may not hold a user name or password`);
  }
  if (url.hash !== '' || url.search !== '') refuse(`${url.href}: a repository URL has no query and no fragment`);
  const path = url.pathname.replace(/\/+$/u, '');
  return {
    key: `${url.protocol}//${url.host.toLowerCase()}${path.replace(/\.git$/u, '')}`,
    url: `${url.protocol}//${url.host}${path}`,
  };
}

/** One form for all spellings of a repoURL, to compare them by; a URL that cannot be read stands for itself. */
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
