/** How a client authenticates. */
export interface Credentials {
  readonly token?: string;
  readonly basic?: { readonly username: string; readonly password: string };
  /** A client certificate and its key, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** A source of credentials; called before every request, so a slow source must cache. */
export interface CredentialSource {
  get(signal?: AbortSignal): Promise<Credentials>;
  /** The server rejected the last credentials (401): the cache is stale. */
  refused?(): void;
}

export const fixedCredentials = (credentials: Credentials): CredentialSource => ({ get: async () => credentials });

export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type Headers = Record<string, string | string[]>;

export function authorizationHeaders(credentials: Credentials): Headers {
  if (credentials.token !== undefined) return { authorization: `Bearer ${credentials.token}` };
  if (!credentials.basic) return {};
  const { username, password } = credentials.basic;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

export function impersonationHeaders(impersonation: Impersonation): Headers {
  const headers: Headers = { 'impersonate-user': impersonation.user };
  if (impersonation.uid !== undefined) headers['impersonate-uid'] = impersonation.uid;
  if (impersonation.groups?.length) headers['impersonate-group'] = [...impersonation.groups];
  for (const [name, values] of Object.entries(impersonation.extra ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(name.toLowerCase())}`] = [...values];
  }
  return headers;
}
