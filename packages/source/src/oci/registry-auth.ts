import { at, textAt } from '@fairlead/apimachinery';
import { type Clock, limits } from '@fairlead/kube';
import { basicToken, type RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { readBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { SourceError } from '../source-error.ts';
import { parseChallenges } from './challenge.ts';

/** Tokens are replaced this long before they expire. */
const marginMs = 10_000;

/** The authentication of one registry: nothing until it sends a challenge, then the requested credentials, cached while they are valid. */
export class RegistryAuth {
  readonly #http: HttpSession;
  readonly #clock: Clock;
  readonly #server: string;
  readonly #credentials: RepositoryCredentials | undefined;
  readonly #known = new Map<string, { readonly header: string; readonly until: number }>();

  constructor(http: HttpSession, clock: Clock, server: string, credentials: RepositoryCredentials | undefined) {
    this.#http = http;
    this.#clock = clock;
    this.#server = server;
    this.#credentials = credentials;
  }

  /** The known authorization for the scope. */
  current(scope: string): string | undefined {
    const known = this.#known.get(scope);
    return known && this.#clock.now() < known.until ? known.header : undefined;
  }

  /** Answers a challenge. Undefined if there are no suitable credentials. */
  async answer(scope: string, header: string | undefined): Promise<string | undefined> {
    const { username = '', password, bearerToken } = this.#credentials ?? {};
    for (const { scheme, parameters } of parseChallenges(header ?? '')) {
      if (scheme === 'bearer' && bearerToken && !password) return this.#keep(scope, `Bearer ${bearerToken}`, Infinity);
      if (scheme === 'bearer' && parameters['realm']) return this.#token(scope, parameters['realm'], parameters);
      if (scheme === 'basic' && password) return this.#keep(scope, `Basic ${basicToken(username, password)}`, Infinity);
    }
    return undefined;
  }

  #keep(scope: string, header: string, until: number): string {
    this.#known.set(scope, { header, until });
    return header;
  }

  async #token(scope: string, realm: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const { username = '', password } = this.#credentials ?? {};
    const url = URL.canParse(realm) ? new URL(realm) : undefined;
    if (!url || (url.protocol === 'http:' && !this.#server.startsWith('http:'))) {
      throw new SourceError(
        'AuthenticationFailed',
        `${this.#server} requires authentication at ${url?.origin ?? 'an invalid address'}, which is not encrypted`,
      );
    }
    if (parameters['service']) url.searchParams.set('service', parameters['service']);
    if (scope !== '') url.searchParams.set('scope', scope);
    const answer = await this.#http.send({
      redirect: 'follow',
      url: url.href,
      credentials: this.#credentials,
      authorization: password ? `Basic ${basicToken(username, password)}` : undefined,
    });
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, `signing in at ${url.origin}`, {
        credentials: this.#credentials,
        notFound: 'AuthenticationFailed',
      });
    }
    const { token, seconds } = readToken(await readBody(answer, limits.registryTokenBytes));
    if (!token) throw new SourceError('AuthenticationFailed', `${url.origin} did not return a token`);
    return this.#keep(scope, `Bearer ${token}`, this.#clock.now() + seconds * 1000 - marginMs);
  }
}

function readToken(body: Buffer): { token?: string; seconds: number } {
  try {
    const response: unknown = JSON.parse(body.toString());
    const token = textAt(response, 'token') || textAt(response, 'access_token');
    const seconds = at(response, 'expires_in');
    return { ...(token ? { token } : {}), seconds: typeof seconds === 'number' ? seconds : 60 };
  } catch {
    return { seconds: 0 };
  }
}
