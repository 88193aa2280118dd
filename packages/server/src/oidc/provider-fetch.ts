import { limits } from '@fairlead/kube';
import { EnvHttpProxyAgent, request } from 'undici';

export interface ProviderRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

export type ProviderFetch = (url: string, options?: ProviderRequest) => Promise<Response>;

const methods = { GET: 'GET', POST: 'POST' } as const;

/** Requests to an identity provider: with its certificates, through the proxy of the environment, with a limit of time and size. Redirects are not followed. */
export function providerFetch(tls: { readonly rootCa: string; readonly insecure: boolean }): ProviderFetch {
  const connect = {
    ...(tls.rootCa === '' ? {} : { ca: tls.rootCa }),
    ...(tls.insecure ? { rejectUnauthorized: false } : {}),
  };
  const dispatcher = new EnvHttpProxyAgent({ connect, requestTls: connect });
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const deadline = AbortSignal.timeout(limits.oidcRequestMs);
    const answer = await request(url, {
      method: method === 'POST' ? methods.POST : methods.GET,
      headers: headers instanceof Headers ? Object.fromEntries(headers) : { ...headers },
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      dispatcher,
    });
    const text = await readText(answer.body, url);
    const known = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    );
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
    return new Response(hasBody ? text : null, { status: answer.statusCode, headers: known });
  };
}

async function readText(body: AsyncIterable<Uint8Array>, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limits.oidcBytes) throw new Error(`${new URL(url).origin} sent more than ${limits.oidcBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
