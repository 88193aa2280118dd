import { isObject, numberAt } from '@fairlead/apimachinery';

/** Whether a JSON web token has expired, by its own claim; the server verifies it. A text that is no such token has not. */
export function hasExpired(token: string, now: number): boolean {
  const [, payload = ''] = token.split('.');
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  } catch {
    return false;
  }
  const exp = isObject(claims) && 'exp' in claims ? numberAt(claims, 'exp') : Number.POSITIVE_INFINITY;
  return exp * 1_000 <= now;
}
