interface AddressParts {
  readonly host: string;
  readonly path: string;
  /** Query and fragment. */
  readonly rest: string;
}

/** The parts of a repository's address: a URL, `user@host:path`, or a path. */
function partsOf(address: string): AddressParts {
  const url = /^[a-zA-Z][a-zA-Z+.-]*:\/\/(?:[^@/]*@)?([^/?#]*)(\/[^?#]*)?(.*)$/su.exec(address);
  if (url) return { host: url[1] ?? '', path: decoded(url[2] ?? ''), rest: url[3] ?? '' };
  const scp = /^(?:[a-zA-Z0-9_.-]+@)?([a-zA-Z0-9._-]+):([^:/].*|\/.*)$/u.exec(address);
  return scp ? { host: scp[1] ?? '', path: scp[2] ?? '', rest: '' } : { host: '', path: address, rest: '' };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `org/repo` of a repository's address. */
export function fullNameByRepoUrl(address: string): string {
  const path = partsOf(address).path.replace(/\.git$/u, '');
  const names = path.split('/').filter((name) => name !== '');
  return names.length >= 2 ? names.slice(0, 2).join('/') : path;
}

/** The address for a browser. */
export function repoUrlToHttps(address: string): string {
  const { host, path, rest } = partsOf(address);
  if (host === '' && path === '') return `https:${rest}`;
  return `https://${host}${host !== '' && path !== '' && !path.startsWith('/') ? '/' : ''}${path}${rest}`;
}
