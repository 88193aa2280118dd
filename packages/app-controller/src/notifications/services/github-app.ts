import { messageOf, textAt } from '@fairlead/apimachinery';
import { githubApiUrl, signedJwt } from '@fairlead/source';
import { struct, text } from '../config/decode.ts';
import { type HttpAnswer, type HttpRequest, jsonOf, jsonRequest } from '../http/http-message.ts';
import { expectStatus, is2xx, type SendContext, transportOptions, withInsecure } from './service.ts';

const optionFields = struct({
  appID: text,
  installationID: text,
  privateKey: text,
  enterpriseBaseURL: text,
  ...transportOptions,
});

const renewBeforeMs = 60_000;

/** A GitHub App: calls the API with the token of its installation, which is renewed before it expires. */
export class GitHubApp {
  readonly #key: string;
  readonly #appId: string;
  readonly #tokenUrl: string;
  readonly #apiUrl: string;
  readonly #insecure: boolean;
  #token: { readonly value: string; readonly expiresAt: number } | undefined;

  /** Throws if an id or the key is invalid. */
  constructor(raw: unknown) {
    const options = optionFields(raw, '');
    this.#appId = idOf(options.appID, 'appID');
    this.#key = checkedKey(options.privateKey);
    this.#insecure = options.insecureSkipVerify;
    const base = (options.enterpriseBaseURL || 'https://api.github.com').replace(/\/+$/u, '');
    this.#tokenUrl = `${base}/app/installations/${idOf(options.installationID, 'installationID')}/access_tokens`;
    this.#apiUrl = githubApiUrl(options.enterpriseBaseURL);
  }

  async call(method: string, path: string, body: unknown, context: SendContext): Promise<HttpAnswer> {
    const headers = { Authorization: `token ${await this.#installationToken(context)}` };
    const request: HttpRequest =
      body === undefined
        ? { method, url: this.#apiUrl + path, headers }
        : jsonRequest(this.#apiUrl + path, body, headers, method);
    return context.http(withInsecure(request, this.#insecure), context.signal);
  }

  async #installationToken(context: SendContext): Promise<string> {
    const now = context.clock.now();
    if (this.#token && this.#token.expiresAt > now + renewBeforeMs) return this.#token.value;
    const headers = { Authorization: `Bearer ${this.#jwt(now)}`, Accept: 'application/vnd.github+json' };
    const request = withInsecure({ method: 'POST', url: this.#tokenUrl, headers }, this.#insecure);
    const answer = await context.http(request, context.signal);
    expectStatus(request, answer, is2xx);
    const token = jsonOf(answer.body);
    const expiresAt = Date.parse(textAt(token, 'expires_at'));
    this.#token = { value: textAt(token, 'token'), expiresAt: Number.isNaN(expiresAt) ? now : expiresAt };
    return this.#token.value;
  }

  #jwt(now: number): string {
    const issuedAt = Math.floor(now / 1000) - 30;
    return signedJwt({ iat: issuedAt, exp: issuedAt + 120, iss: this.#appId }, this.#key);
  }
}

function idOf(value: string, name: string): string {
  if (/^-?\d+$/u.test(value)) return value;
  throw new Error(`${name} must be a number, not ${JSON.stringify(value)}`);
}

function checkedKey(pem: string): string {
  try {
    signedJwt({}, pem);
    return pem;
  } catch (error) {
    throw new Error(`privateKey ${messageOf(error)}`);
  }
}
