/** A real OpenID provider on loopback, with keys that tests can sign with. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export const webClient = 'argo-cd';
export const cliClient = 'argo-cd-cli';
export const clientSecret = 'client-secret-of-argo-cd';

export interface TestProvider {
  readonly issuer: string;
  /** Signs claims with the provider's key, or another one. */
  sign(claims: JWTPayload, options?: { readonly kid?: string; readonly ownKey?: boolean }): Promise<string>;
  /** Seconds that an ID token is valid. */
  idTokenSeconds: number;
  readonly refreshes: () => number;
  close(): Promise<void>;
}

export interface TestProviderOptions {
  /** Callback URLs of the web client. */
  readonly redirectUris: readonly string[];
  readonly cliRedirectUris?: readonly string[];
  /** Groups by user. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Groups are in the answers of the user info endpoint only. */
  readonly groupsInUserInfoOnly?: boolean;
  readonly port?: number;
}

export async function startIdentityProvider(options: TestProviderOptions): Promise<TestProvider> {
  const [keys, otherKeys] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256'),
  ]);
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(options.port ?? 0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  let refreshes = 0;
  const self = { idTokenSeconds: 3_600 };
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: 'signing', alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: webClient,
        client_secret: clientSecret,
        redirect_uris: [...options.redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      {
        client_id: cliClient,
        token_endpoint_auth_method: 'none',
        application_type: 'native',
        redirect_uris: [...(options.cliRedirectUris ?? ['http://localhost:8085/auth/callback'])],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    claims: { openid: ['sub'], email: ['email'], groups: ['groups'], profile: ['name'] },
    conformIdTokenClaims: options.groupsInUserInfoOnly ?? false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, name: id, groups: [...(options.groups[id] ?? [])] }),
    }),
    ttl: {
      IdToken: () => self.idTokenSeconds,
      AccessToken: 3_600,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    pkce: { required: (_, client) => client.clientId === cliClient },
    cookies: { keys: ['test'] },
  });
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.params?.['grant_type'] === 'refresh_token') refreshes += 1;
  });
  http.on('request', provider.callback());
  return Object.assign(self, {
    issuer,
    sign: (claims: JWTPayload, { kid = 'signing', ownKey = false } = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(ownKey ? otherKeys.privateKey : keys.privateKey),
    refreshes: () => refreshes,
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  });
}
