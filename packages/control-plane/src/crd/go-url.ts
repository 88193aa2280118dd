/** The parts of a URL as parsed by `net/url` of Go. */
export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
}

/** Absolute URIs and absolute paths, as in an HTTP request line. */
export const isRequestUri = (text: string): boolean => parseRequestUri(text) !== undefined;

const badEscape = /%(?![0-9a-fA-F]{2})/;

export function parseRequestUri(text: string): GoUrl | undefined {
  if (text === '' || [...text].some((char) => char < ' ' || char === '\x7f')) return undefined;
  const [, written = '', rest = text] = /^([a-zA-Z][a-zA-Z0-9+.-]*):(.*)$/s.exec(text) ?? [];
  const scheme = written.toLowerCase();
  const mark = rest.indexOf('?');
  const beforeQuery = mark < 0 ? rest : rest.slice(0, mark);
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (!beforeQuery.startsWith('/')) return scheme === '' ? undefined : opaque(text, scheme, query);
  const authority =
    beforeQuery.startsWith('//') && (scheme !== '' || !beforeQuery.startsWith('///'))
      ? /^\/\/([^/]*)(.*)$/s.exec(beforeQuery)
      : null;
  const [, hostText, path = beforeQuery] = authority ?? [];
  const host = hostText === undefined ? '' : parseHost(hostText);
  if (host === undefined || badEscape.test(path)) return undefined;
  return { scheme, host, escapedPath: escapePath(path), query: parseQuery(query), text };
}

/** `mailto:x`: an opaque URL, without a path. */
const opaque = (text: string, scheme: string, query: string): GoUrl => ({
  scheme,
  host: '',
  escapedPath: '',
  query: parseQuery(query),
  text,
});

function parseHost(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  const host = authority.slice(at + 1);
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return undefined;
  if (host.startsWith('[')) return /^\[[^\]]*\](:\d*)?$/.test(host) ? host : undefined;
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^\d*$/.test(host.slice(colon + 1))) return undefined;
  if (/[\s<>"\\^`{|}]/.test(host) || badEscape.test(host)) return undefined;
  try {
    return decodeURIComponent(host);
  } catch {
    return undefined;
  }
}

const escapePath = (path: string): string =>
  path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (char) => encodeURIComponent(char));

function parseQuery(text: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const part of text.split('&')) {
    if (part === '' || part.includes(';')) continue;
    const equals = part.indexOf('=');
    const key = unescaped(equals < 0 ? part : part.slice(0, equals));
    const value = unescaped(equals < 0 ? '' : part.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    query.set(key, [...(query.get(key) ?? []), value]);
  }
  return query;
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
