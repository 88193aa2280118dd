import { authority, parseRepositoryUrl, type RepositoryUrl } from './repository-url.ts';

/**
 * The text of an address for comparison with project patterns: scheme, host, port and path, in lower case as Argo CD compares them. Users
 * of HTTP and queries are not part of it; SSH has no scheme, so that `ssh://git@host/path` and `git@host:path` are equal.
 */
export function permissionText({ scheme, schemeWritten, user, host, port, path }: RepositoryUrl): string {
  const place = `${authority(host, port)}/${path}`;
  const text =
    scheme === 'ssh'
      ? `${user === '' ? '' : `${user}@`}${place}`
      : scheme === 'oci' && !schemeWritten
        ? place
        : `${scheme}://${place}`;
  return tidy(text);
}

/** A pattern in the form of `permissionText`. Wildcards are kept. */
export function permissionPattern(pattern: string): string {
  const text = pattern.trim().toLowerCase();
  if (!/[*?[{\\]/u.test(text)) {
    const { url } = parseRepositoryUrl(pattern);
    return url ? permissionText(url) : text;
  }
  if (text.startsWith('/')) return tidy(`file://${text}`);
  const [, scheme, rest = ''] = /^([^/@]*:\/\/)?(.*)$/su.exec(text) ?? [];
  if (scheme === undefined || /^(?:git\+ssh|ssh\+git|ssh):/u.test(scheme))
    return tidy(sshPattern(rest, scheme !== undefined));
  const [, place = '', path = ''] = /^([^/]*)(.*)$/su.exec(rest) ?? [];
  const bare = place.replace(/^[^@]*@/u, '');
  const port = { 'http://': ':80', 'https://': ':443', 'oci://': ':443', 'git://': ':9418' }[scheme];
  return tidy(`${scheme}${port && bare.endsWith(port) ? bare.slice(0, -port.length) : bare}${path}`);
}

/** `git@host:team/*` and `ssh://git@host:22/team/*` are `git@host/team/*`. */
function sshPattern(text: string, hasScheme: boolean): string {
  if (hasScheme) return text.replace(/^([^/]*):22(?=\/|$)/u, '$1');
  return text.replace(/^([^/:[\]{}]+):(?!\d+(?:\/|$))/u, '$1/');
}

/** Without parts that servers ignore: a trailing `.git`, and repeated slashes. */
function tidy(text: string): string {
  const [, scheme = '', rest = ''] = /^([^/]*:\/\/)?(.*)$/su.exec(text) ?? [];
  const path = scheme === 'file://' ? `/${rest.replace(/^\/+/u, '')}` : rest;
  return `${scheme}${path.replaceAll(/\/{2,}/gu, '/')}`
    .replace(/\/$/u, '')
    .replace(/\.git$/u, '')
    .toLowerCase();
}
