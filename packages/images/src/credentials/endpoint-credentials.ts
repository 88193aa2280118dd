import type { Clock } from '@fairlead/kube';
import { parseCredentialReference } from './credential-reference.ts';
import type { Login } from './docker-config.ts';
import { type CredentialSources, fetchCredentials } from './fetch-credentials.ts';

export interface CredentialedEndpoint {
  readonly apiUrl: string;
  readonly credentials: string;
  readonly credsExpireMs: number;
}

/**
 * The login that an operator configured for a registry: cached, and read again when `credsexpire` has passed. Credentials of an image
 * itself are never cached here, so that no other image can use them.
 */
export class EndpointCredentials {
  readonly #endpoint: CredentialedEndpoint;
  readonly #sources: CredentialSources;
  readonly #clock: Clock;
  #kept: { readonly login: Login; readonly since: number } | undefined;
  #reading: Promise<Login> | undefined;

  constructor(
    endpoint: CredentialedEndpoint,
    sources: CredentialSources,
    clock: Clock,
    kept?: { login: Login; since: number },
  ) {
    this.#endpoint = endpoint;
    this.#sources = sources;
    this.#clock = clock;
    this.#kept = kept;
  }

  get kept(): Login | undefined {
    return this.#kept?.login;
  }

  /** Undefined if none is configured. */
  async login(imageReference?: string): Promise<Login | undefined> {
    const { apiUrl, credentials } = this.#endpoint;
    if (imageReference) return fetchCredentials(parseCredentialReference(imageReference), apiUrl, this.#sources);
    if (credentials === '') return undefined;
    if (this.#kept && !this.#expired()) return this.#kept.login;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** After a 401 or 403: drops cached credentials, and returns true if a retry with new ones makes sense. */
  refused(): boolean {
    if (this.#endpoint.credsExpireMs <= 0 || !this.#kept || this.#expired()) return false;
    this.#kept = undefined;
    return true;
  }

  async #read(): Promise<Login> {
    const { apiUrl, credentials } = this.#endpoint;
    const login = await fetchCredentials(parseCredentialReference(credentials), apiUrl, this.#sources);
    this.#kept = { login, since: this.#clock.now() };
    return login;
  }

  #expired(): boolean {
    const { credsExpireMs } = this.#endpoint;
    return credsExpireMs > 0 && this.#kept !== undefined && this.#clock.now() - this.#kept.since >= credsExpireMs;
  }
}
