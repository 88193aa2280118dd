import { isObject, type JsonObject, toJson } from '@fairlead/apimachinery';

/** The claims of a token. */
export type Claims = JsonObject;

/** The claims in what a library has decoded. */
export const readClaims = (payload: object): Claims => {
  const value = toJson(payload);
  return isObject(value) ? value : {};
};

export const textClaim = (claims: Claims, name: string): string => {
  const value = claims[name];
  return typeof value === 'string' ? value : '';
};

/** Whom a policy names: the user of the identity provider behind Dex if there is one, or else the subject. */
export function userIdentifier(claims: Claims): string {
  const federated = claims['federated_claims'];
  const user = isObject(federated) ? federated['user_id'] : undefined;
  return typeof user === 'string' && user !== '' ? user : textClaim(claims, 'sub');
}

/** The groups of a user: the values of the claims that `scopes` lists. */
export function groupsOf(claims: Claims, scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => {
    const value = Object.hasOwn(claims, scope) ? claims[scope] : undefined;
    if (Array.isArray(value)) return value.filter((group) => typeof group === 'string');
    return typeof value === 'string' ? [value] : [];
  });
}

/** Reads a claim that is a time in seconds, or says why it is none. */
export function timeClaim(claims: Claims, name: string): { readonly seconds: number } | { readonly problem: string } {
  const value = claims[name];
  if (value === undefined) return { problem: `token does not have ${name} claim` };
  if (typeof value !== 'number') return { problem: `${name} '${String(value)}' is not a number` };
  return { seconds: Math.trunc(value) };
}
