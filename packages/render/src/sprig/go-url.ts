import { fromBytes, toBytes } from '../go-template/go-string.ts';
import { GoError } from '../go-template/go-value.ts';

/** A URL as parsed by Go's net/url. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** The text between `//` and `@`, unescaped. Undefined if there is none. */
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly host: string;
  readonly path: string;
  /** The escaped path as written, if the default escaping differs. */
  readonly rawPath: string;
  readonly query: string;
  readonly fragment: string;
  readonly forceQuery: boolean;
}

type Part = 'path' | 'user' | 'host' | 'fragment';

const unreserved = /[A-Za-z0-9\-_.~]/;
const plainIn: Record<Part, RegExp> = {
  path: /[$&+,/:;=@]/,
  user: /[$&+,;=]/,
  host: /[!$&'()*+,;=:[\]<>"]/,
  fragment: /[$&+,/:;=?@!()*]/,
};

function encodePart(text: string, part: Part): string {
  let out = '';
  for (const byte of toBytes(text)) {
    const char = String.fromCharCode(byte);
    const plain = byte < 0x80 && (unreserved.test(char) || plainIn[part].test(char));
    out += plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

function decodePart(text: string, part: Part): string {
  const bad = /%(?![\da-fA-F]{2}).{0,2}/s.exec(text);
  if (bad) throw new GoError(`invalid URL escape ${JSON.stringify(bad[0])}`);
  if (part === 'host') {
    const wrong = [...text].find(
      (char) => char < '\u0080' && char !== '%' && !unreserved.test(char) && !plainIn.host.test(char),
    );
    if (wrong) throw new GoError(`invalid character ${JSON.stringify(wrong)} in host name`);
  }
  if (!text.includes('%')) return text;
  const bytes: Buffer[] = [];
  for (const piece of text.split(/(%[\da-fA-F]{2})/)) {
    bytes.push(/^%[\da-fA-F]{2}$/.test(piece) ? Buffer.of(Number.parseInt(piece.slice(1), 16)) : toBytes(piece));
  }
  return fromBytes(Buffer.concat(bytes));
}

export function parseUrl(text: string): GoUrl {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`parse ${JSON.stringify(text)}: ${error.message}`);
    throw error;
  }
}

function parse(text: string): GoUrl {
  const hash = text.indexOf('#');
  const [before, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
  if (/[\x00-\x1f\x7f]/.test(before)) throw new GoError('net/url: invalid control character in URL');
  const url = parseWithoutFragment(before);
  return { ...url, fragment: decodePart(fragment, 'fragment') };
}

const empty = {
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  query: '',
  fragment: '',
  forceQuery: false,
};

function parseWithoutFragment(text: string): GoUrl {
  if (text.startsWith(':')) throw new GoError('missing protocol scheme');
  if (text === '*') return { ...empty, scheme: '', path: '*' };
  const match = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text);
  const scheme = (match?.[1] ?? '').toLowerCase();
  let rest = match ? text.slice(match[0].length) : text;
  let query = '';
  let forceQuery = false;
  if (rest.endsWith('?') && rest.split('?').length === 2) {
    forceQuery = true;
    rest = rest.slice(0, -1);
  } else if (rest.includes('?')) {
    [rest, query] = [rest.slice(0, rest.indexOf('?')), rest.slice(rest.indexOf('?') + 1)];
  }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, opaque: rest, query, forceQuery };
    if (/^[^/]*:/u.test(rest)) throw new GoError('first path segment in URL cannot contain colon');
  }
  let authority: Pick<GoUrl, 'user' | 'host'> = { user: undefined, host: '' };
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const written = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? '' : rest.slice(slash);
    authority = parseAuthority(written);
  }
  const path = decodePart(rest, 'path');
  return {
    ...empty,
    ...authority,
    scheme,
    path,
    rawPath: encodePart(path, 'path') === rest ? '' : rest,
    query,
    forceQuery,
  };
}

function parseAuthority(text: string): Pick<GoUrl, 'user' | 'host'> {
  const at = text.lastIndexOf('@');
  const host = parseHost(text.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const info = text.slice(0, at);
  if (/[^A-Za-z0-9\-._:~!$&'()*+,;=%@]/.test(info)) throw new GoError('net/url: invalid userinfo');
  const colon = info.indexOf(':');
  const name = decodePart(colon < 0 ? info : info.slice(0, colon), 'user');
  return { user: { name, password: colon < 0 ? undefined : decodePart(info.slice(colon + 1), 'user') }, host };
}

function parseHost(text: string): string {
  const portOf = (rest: string): void => {
    if (rest !== '' && !/^:\d*$/.test(rest)) throw new GoError(`invalid port ${JSON.stringify(rest)} after host`);
  };
  if (text.startsWith('[')) {
    const close = text.lastIndexOf(']');
    if (close < 0) throw new GoError("missing ']' in host");
    portOf(text.slice(close + 1));
  } else if (text.includes(':')) {
    portOf(text.slice(text.lastIndexOf(':')));
  }
  return decodePart(text, 'host');
}

export function hostnameOf(host: string): string {
  const withoutPort = /^(.*?):\d*$/s.exec(host)?.[1] ?? host;
  const bare = host.startsWith('[') || !withoutPort.includes(':') ? withoutPort : host;
  return bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
}

export function userText(user: GoUrl['user']): string {
  if (!user) return '';
  return encodePart(user.name, 'user') + (user.password === undefined ? '' : `:${encodePart(user.password, 'user')}`);
}

export function formatUrl(url: GoUrl): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') out += url.opaque;
  else {
    const path = encodePart(url.path, 'path');
    if (url.scheme !== '' || url.host !== '' || url.user) {
      if (url.host !== '' || url.path !== '' || url.user) {
        if (url.host !== '' || url.user || path.startsWith('//')) out += '//';
        if (url.user) out += `${userText(url.user)}@`;
        out += encodePart(url.host, 'host');
      }
    }
    if (path !== '' && !path.startsWith('/') && url.host !== '') out += '/';
    if (out === '' && /^[^/]*:/u.test(path)) out += './';
    out += path;
  }
  if (url.query !== '' || url.forceQuery) out += `?${url.query}`;
  return url.fragment === '' ? out : `${out}#${encodePart(url.fragment, 'fragment')}`;
}
