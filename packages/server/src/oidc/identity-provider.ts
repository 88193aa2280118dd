import { messageOf } from '@fairlead/apimachinery';
import type { Clock } from '@fairlead/kube';
import { createRemoteJWKSet, decodeJwt, errors, customFetch as jwksFetch, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { type Claims, readClaims } from '../rbac/claims.ts';
import { TokenError } from '../session/jwt.ts';
import type { OidcConfig } from './oidc-config.ts';
import { type ProviderFetch, providerFetch } from './provider-fetch.ts';

/** A token that was valid, and has expired. */
export class ExpiredToken extends TokenError {}

/** What a provider gives for a code or a refresh token. */
export interface ProviderTokens {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

interface Discovered {
  readonly configuration: client.Configuration;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly algorithms: string[];
}

/** A provider that did not answer is asked again after this time: requests with foreign tokens must not all reach it. */
const retryMs = 5_000;

/** Only signatures that need the provider's private key. */
const signatures = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/u;

/** An OpenID provider: its endpoints are discovered with the first use. */
export class IdentityProvider {
  readonly config: OidcConfig;
  readonly fetch: ProviderFetch;
  readonly #clock: Clock;
  #discovered: Promise<Discovered> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(config: OidcConfig, clock: Clock) {
    this.config = config;
    this.#clock = clock;
    this.fetch = providerFetch({ rootCa: config.rootCa, insecure: config.insecureTls });
  }

  /** The address where a user signs in. */
  async authorizationUrl(parameters: Readonly<Record<string, string>>): Promise<URL> {
    const { configuration } = await this.#discover();
    const { scopes, idTokenClaims, domainHint } = this.config;
    return client.buildAuthorizationUrl(configuration, {
      scope: scopes.join(' '),
      ...(idTokenClaims ? { claims: JSON.stringify({ id_token: idTokenClaims }) } : {}),
      ...(domainHint === '' ? {} : { domain_hint: domainHint }),
      ...parameters,
    });
  }

  /** Exchanges the code of a callback. State, nonce, issuer and the ID token are checked. */
  async exchange(callback: URL, checks: client.AuthorizationCodeGrantChecks): Promise<ProviderTokens> {
    return this.#tokens((configuration) =>
      client.authorizationCodeGrant(configuration, callback, { ...checks, idTokenExpected: true }),
    );
  }

  async refresh(refreshToken: string): Promise<ProviderTokens> {
    return this.#tokens((configuration) => client.refreshTokenGrant(configuration, refreshToken));
  }

  /** The claims of an ID token for this installation. Throws a TokenError. */
  async verify(token: string): Promise<Claims> {
    let discovered: Discovered;
    try {
      discovered = await this.#discover();
    } catch (error) {
      throw new TokenError(`failed to verify the token: ${messageOf(error)}`);
    }
    try {
      return await this.#verified(token, discovered);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ExpiredToken('failed to verify the token');
      if (error instanceof errors.JOSEError || error instanceof TypeError) {
        throw new TokenError('failed to verify the token');
      }
      throw new TokenError(`failed to verify the token: ${messageOf(error)}`);
    }
  }

  async #verified(token: string, { keys, algorithms, configuration }: Discovered): Promise<Claims> {
    const { audiences, acceptsNoAudience } = this.config;
    const skipsAudience = acceptsNoAudience && decodeJwt(token).aud === undefined;
    const { payload } = await jwtVerify(token, keys, {
      issuer: configuration.serverMetadata().issuer,
      ...(skipsAudience ? {} : { audience: [...audiences] }),
      algorithms,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(this.#clock.now()),
    });
    return readClaims(payload);
  }

  async #tokens(
    grant: (configuration: client.Configuration) => Promise<client.TokenEndpointResponse>,
  ): Promise<ProviderTokens> {
    const { configuration } = await this.#discover();
    const answer = await grant(configuration);
    if (answer.id_token === undefined) throw new Error('no id_token in token response');
    return { idToken: answer.id_token, accessToken: answer.access_token, refreshToken: answer.refresh_token };
  }

  #discover(): Promise<Discovered> {
    const now = this.#clock.now();
    if (!this.#discovered || (this.#failedAt > Number.NEGATIVE_INFINITY && now - this.#failedAt >= retryMs)) {
      this.#failedAt = Number.NEGATIVE_INFINITY;
      const discovered = this.#discovery();
      this.#discovered = discovered;
      discovered.catch(() => {
        this.#failedAt = this.#clock.now();
      });
    }
    return this.#discovered;
  }

  async #discovery(): Promise<Discovered> {
    const { issuer, clientId, clientSecret } = this.config;
    const isPlain = issuer.startsWith('http:');
    let configuration: client.Configuration;
    try {
      configuration = await client.discovery(new URL(issuer), clientId, undefined, authentication(clientSecret), {
        [client.customFetch]: this.fetch,
        ...(isPlain ? { execute: [client.allowInsecureRequests] } : {}),
      });
    } catch (error) {
      throw new Error(`failed to query provider ${JSON.stringify(issuer)}: ${causeOf(error)}`, { cause: error });
    }
    const { jwks_uri, id_token_signing_alg_values_supported = [] } = configuration.serverMetadata();
    if (jwks_uri === undefined) throw new Error(`provider ${JSON.stringify(issuer)} has no jwks_uri`);
    const algorithms = id_token_signing_alg_values_supported.filter((name) => signatures.test(name));
    return {
      configuration,
      keys: createRemoteJWKSet(new URL(jwks_uri), { [jwksFetch]: this.fetch }),
      algorithms: algorithms.length > 0 ? algorithms : ['RS256'],
    };
  }
}

/** The message of the first cause: the library's own is about the step that failed. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : messageOf(error);
}

/** By the first method that the provider supports: most clients are registered for either. */
function authentication(clientSecret: string): client.ClientAuth {
  if (clientSecret === '') return client.None();
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    (isBasic ? basic : post)(server, ...rest);
  };
}
