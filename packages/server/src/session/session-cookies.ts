/** The cookie of a session's token. */
export const cookieName = 'argocd.token';

/** Browsers accept cookies up to 4 KB, with name and attributes. */
const maxLength = 4_000;
/** As in Argo CD: browsers keep a limited number per site. */
const maxParts = 20;

/** The cookies that keep a session. */
export const sessionCookies = (token: string, isSecure: boolean): string[] =>
  dividedCookies(cookieName, token, isSecure);

/** A long value is divided over several cookies: `NAME` begins with their number, the rest is in `NAME-1` and so on. */
export function dividedCookies(name: string, value: string, isSecure: boolean): string[] {
  const attributes = `path=/; SameSite=lax; httpOnly${isSecure ? '; Secure' : ''}`;
  if (value.length <= maxLength) return [`${name}=${value}; ${attributes}`];
  const parts = value.match(new RegExp(`.{1,${maxLength}}`, 'gsu')) ?? [];
  return parts.map((part, i) =>
    i === 0 ? `${name}=${parts.length}:${part}; ${attributes}` : `${name}-${i}=${part}; ${attributes}`,
  );
}

/** The value of a cookie that may be divided. Undefined if it is not there. */
export function cookieValue(header: string, name: string): string | undefined {
  const cookies = cookiesOf(header);
  const first = cookies.get(name);
  const [, count, start = ''] = /^(\d{1,4}):(.*)$/su.exec(first ?? '') ?? [];
  if (first === undefined || count === undefined) return first;
  if (Number(count) > maxParts) return undefined;
  const rest = Array.from({ length: Math.max(0, Number(count) - 1) }, (_, i) => cookies.get(`${name}-${i + 1}`) ?? '');
  return [start, ...rest].join('');
}

const cookiesOf = (header: string): ReadonlyMap<string, string> =>
  new Map(
    header.split(';').map((pair): [string, string] => {
      const [name = '', ...value] = pair.trim().split('=');
      return [name, value.join('=')];
    }),
  );

/** Cookies that remove those of a request whose names begin with one of these. */
export const removedCookies = (header: string, names: readonly string[]): string[] =>
  [...cookiesOf(header).keys()]
    .filter((cookie) => names.some((name) => cookie === name || cookie.startsWith(`${name}-`)))
    .map((cookie) => `${cookie}=; Path=/`);
