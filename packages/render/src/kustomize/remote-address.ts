/** A folder in another repository. */
export interface Remote {
  /** With `?ref=` if it was given. */
  readonly repository: string;
  readonly path: string;
}

/** Whether a URL refers to a file, by its name. */
export const isSurelyFile = (path: string): boolean => /^https?:\/\/[^?]*\.(?:ya?ml|json)(?:$|\?)/iu.test(path);

/** Whether Kustomize would fetch it over HTTP. A URL that is clearly a repository is not fetched as a file. */
export function isRemoteFile(path: string): boolean {
  if (!/^https?:\/\/[^/]/iu.test(path)) return false;
  const [address = '', query = ''] = path.split('?', 2);
  if (isSurelyFile(path)) return true;
  const asked = new URLSearchParams(query);
  return !asked.has('ref') && !asked.has('version') && !markers.some((marker) => marker.test(address));
}

/** Separators between a repository and a folder in it, and hosts whose URLs are always repositories. */
const markers = [/^https?:\/\/.*(?:\/\/|_git\/|\.git(?:\/|$))/iu, /^https?:\/\/(?:[^/@]*@)?(?:www\.)?github\.com\//iu];

/** `https://host/org/repo//path?ref=v1`, `git@host:org/repo.git`, `github.com/org/repo/path`: a repository, as Kustomize recognises it. */
export function parseRemote(url: string): Remote | undefined {
  const [address = '', query = ''] = url.split('?', 2);
  const bare = address.replace(/^git::/iu, '');
  const scheme = /^(?:https?:\/\/|ssh:\/\/|git@|(?:[\w-]+@)[\w.-]+:|file:\/\/|gh:|(?:www\.)?github\.com[/:])/iu.exec(
    bare,
  );
  if (!scheme) return undefined;
  const split = splitAddress(bare, scheme[0].length);
  if (!split) return undefined;
  const parameters = new URLSearchParams(query);
  const ref = parameters.get('ref') ?? parameters.get('version');
  const repository = split[0].replace(/^(?:gh:|(?:www\.)?github\.com[/:])/iu, 'https://github.com/');
  return { repository: ref ? `${repository}?ref=${ref}` : repository, path: split[1] };
}

/** Splits at `_git/NAME`, `//` or `.git`, or otherwise after organisation and name. */
function splitAddress(bare: string, start: number): [repository: string, path: string] | undefined {
  const azure = bare.indexOf('_git/', start);
  if (azure > 0) {
    const end = bare.indexOf('/', azure + '_git/'.length);
    return end < 0 ? [bare, ''] : [bare.slice(0, end), bare.slice(end + 1)];
  }
  const double = bare.indexOf('//', start);
  if (double > 0) return [bare.slice(0, double), bare.slice(double + 2)];
  const git = bare.indexOf('.git', start);
  if (git > 0) return [bare.slice(0, git + 4), bare.slice(git + 4).replace(/^\/+/u, '')];
  if (/^file:/iu.test(bare)) return [bare, ''];
  const hasHost = /^(?:https?|ssh):/iu.test(bare);
  const path = hasHost ? bare.indexOf('/', start) + 1 : start;
  const [organisation = '', name = '', ...rest] = bare.slice(path).split('/');
  if ((hasHost && path === 0) || organisation === '' || name === '') return undefined;
  return [`${bare.slice(0, path)}${organisation}/${name}`, rest.join('/')];
}
