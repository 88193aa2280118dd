import { createHmac, timingSafeEqual } from 'node:crypto';
import { describeSyntaxError, isObject, type Json, messageOf } from '@fairlead/apimachinery';
import { type Claims, timeClaim } from '../rbac/claims.ts';

/** A token that is not accepted. Messages of the format are those of Argo CD's JWT library. */
export class TokenError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TokenError';
  }
}

const hashes: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };
const otherMethods = /^(?:none|RS256|RS384|RS512|ES256|ES384|ES512|PS256|PS384|PS512|EdDSA)$/u;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs claims with HS256. */
export function signToken(claims: Claims, key: Uint8Array): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

interface ParsedToken {
  readonly algorithm: string;
  readonly claims: Claims;
  readonly signed: string;
  readonly signature: string;
}

/** Reads a token without verifying it. */
export function parseToken(token: string): ParsedToken {
  const [header, body, signature, ...more] = token.split('.');
  if (header === undefined || body === undefined || signature === undefined || more.length > 0) {
    throw malformed('token contains an invalid number of segments');
  }
  const { alg } = readSegment(header, 'header');
  const claims = readSegment(body, 'claim');
  if (typeof alg !== 'string') throw new TokenError('token is unverifiable: signing method (alg) is unspecified');
  if (!Object.hasOwn(hashes, alg) && !otherMethods.test(alg)) {
    throw new TokenError('token is unverifiable: signing method (alg) is unavailable');
  }
  return { algorithm: alg, claims, signed: `${header}.${body}`, signature };
}

/** The claims of a token that was signed with the key and is valid now. */
export function verifySignedToken(token: string, key: Uint8Array, now: number): Claims {
  const { algorithm, claims, signed, signature } = parseToken(token);
  const hash = hashes[algorithm];
  if (hash === undefined) {
    throw new TokenError(
      `token is unverifiable: error while executing keyfunc: unexpected signing method: ${algorithm}`,
    );
  }
  const given = decode(signature, 'signature');
  const expected = createHmac(hash, key).update(signed).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new TokenError('token signature is invalid: signature is invalid');
  }
  const problems = timeProblems(claims, now / 1_000);
  if (problems.length > 0) throw new TokenError(`token has invalid claims: ${problems.join(', ')}`);
  return claims;
}

function timeProblems(claims: Claims, nowSeconds: number): string[] {
  const problem = (name: string, isWrong: (seconds: number) => boolean, message: string): string[] => {
    if (claims[name] === undefined) return [];
    const time = timeClaim(claims, name);
    if ('problem' in time) return [`invalid type for claim: ${name} is invalid`];
    return isWrong(time.seconds) ? [message] : [];
  };
  return [
    ...problem('exp', (seconds) => nowSeconds >= seconds, 'token is expired'),
    ...problem('nbf', (seconds) => nowSeconds < seconds, 'token is not valid yet'),
  ];
}

const malformed = (problem: string): TokenError => new TokenError(`token is malformed: ${problem}`);

function decode(segment: string, what: string): Buffer {
  const wrong = segment.search(/[^A-Za-z0-9_-]/u);
  if (wrong >= 0 || segment.length % 4 === 1) {
    const byte = wrong >= 0 ? wrong : segment.length - 1;
    throw malformed(`could not base64 decode ${what}: illegal base64 data at input byte ${byte}`);
  }
  return Buffer.from(segment, 'base64url');
}

function readSegment(segment: string, what: string): Claims {
  const bytes = decode(segment, what);
  let value: Json;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    const reason = describeSyntaxError(bytes.toString()) ?? messageOf(error);
    throw malformed(`could not JSON decode ${what}: ${reason}`);
  }
  if (isObject(value)) return value;
  throw malformed(`could not JSON decode ${what}: json: cannot unmarshal ${typeof value} into an object`);
}
