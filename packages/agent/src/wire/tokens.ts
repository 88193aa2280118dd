import { createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { at, numberAt, textAt } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { isMode, type Mode } from '../core/kinds.ts';

export const issuer = 'argocd-agent-server';
export const tokenExpired = 'the token has expired';
export type TokenUse = 'access' | 'refresh';

export interface TokenSubject {
  readonly clientID: string;
  readonly mode: Mode;
}

/** Tokens like argocd-agent's: RS512, the agent and its mode as JSON in `sub`, the use in `aud`. */
export class Tokens {
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #clock: Clock;

  constructor(key: KeyObject, clock: Clock) {
    this.#key = key;
    this.#publicKey = createPublicKey(key);
    this.#clock = clock;
  }

  issue(subject: TokenSubject, use: TokenUse, seconds: number): string {
    const now = Math.floor(this.#clock.now() / 1000);
    const claims = {
      jti: randomUUID(),
      iss: issuer,
      sub: JSON.stringify({ clientID: subject.clientID, mode: subject.mode }),
      aud: [`${issuer}-${use}`],
      nbf: now,
      iat: now,
      exp: now + seconds,
    };
    const text = `${part({ alg: 'RS512', typ: 'JWT' })}.${part(claims)}`;
    return `${text}.${sign('sha512', Buffer.from(text), this.#key).toString('base64url')}`;
  }

  /** The subject of a token and its expiry, or why it is not valid. */
  read(
    token: string,
    use: TokenUse,
  ): { readonly subject: TokenSubject; readonly until: number } | { readonly problem: string } {
    const [head = '', body = '', signature = ''] = token.split('.');
    const problem = (text: string) => ({ problem: text });
    try {
      if (textAt(JSON.parse(text(head)), 'alg') !== 'RS512') return problem('the token is not signed with RS512');
      if (!verify('sha512', Buffer.from(`${head}.${body}`), this.#publicKey, Buffer.from(signature, 'base64url'))) {
        return problem('the token was not issued by this principal');
      }
      const claims: unknown = JSON.parse(text(body));
      const now = this.#clock.now() / 1000;
      if (textAt(claims, 'iss') !== issuer || ![at(claims, 'aud')].flat().includes(`${issuer}-${use}`))
        return problem('the token has another issuer or audience');
      const expires = numberAt(claims, 'exp');
      if (expires <= now) return problem(tokenExpired);
      // Allows for clocks that differ.
      if (numberAt(claims, 'nbf') > now + 60) return problem('the token is not valid yet');
      const { clientID, mode }: Record<string, unknown> = JSON.parse(textAt(claims, 'sub'));
      if (typeof clientID !== 'string' || !isMode(mode)) return problem('the token names no agent');
      return { subject: { clientID, mode }, until: expires * 1000 };
    } catch {
      return problem('the token is malformed');
    }
  }
}

/** The validity of a token when it was issued, in ms; undefined if it does not contain it. For a holder that cannot verify the token. */
export function lifeOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(text(token.split('.')[1] ?? ''));
    const seconds = numberAt(claims, 'exp') - numberAt(claims, 'iat');
    return seconds > 0 ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const text = (base64: string): string => Buffer.from(base64, 'base64url').toString();
