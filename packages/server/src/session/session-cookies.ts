import { cookieName } from './authenticate.ts';

/** Browsers accept cookies up to 4 KB, with name and attributes. */
const maxLength = 4_000;

/** The cookies that keep a session. A long token is divided; the first cookie begins with their number. */
export function sessionCookies(token: string, isSecure: boolean): string[] {
  const attributes = `path=/; SameSite=lax; httpOnly${isSecure ? '; Secure' : ''}`;
  if (token.length <= maxLength) return [`${cookieName}=${token}; ${attributes}`];
  const parts = token.match(new RegExp(`.{1,${maxLength}}`, 'gsu')) ?? [];
  return parts.map((part, i) =>
    i === 0 ? `${cookieName}=${parts.length}:${part}; ${attributes}` : `${cookieName}-${i}=${part}; ${attributes}`,
  );
}
