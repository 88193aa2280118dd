import { limits } from '@fairlead/kube';
import { EnvHttpProxyAgent, request as send } from 'undici';
import type { HttpAnswer, HttpRequest, SendHttp } from './http-message.ts';

export interface HttpSenderOptions {
  /** Where proxies are named. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Certificates that are trusted for a host, in PEM; those of the system when undefined. */
  readonly certificatesFor?: (host: string) => string | undefined;
}

export interface HttpSender {
  readonly send: SendHttp;
  close(): Promise<void>;
}

const maxBody = limits.notificationAnswerBytes;
const maxRedirects = 10;
const maxAgents = 32;

/** HTTP to receivers: through the proxies of the environment, with the certificates of the installation. */
export function createHttpSender({ environment, certificatesFor }: HttpSenderOptions): HttpSender {
  const agents = new Map<string, EnvHttpProxyAgent>();
  const proxies = {
    httpProxy: environment.HTTP_PROXY ?? environment.http_proxy ?? '',
    httpsProxy: environment.HTTPS_PROXY ?? environment.https_proxy ?? '',
    noProxy: environment.NO_PROXY ?? environment.no_proxy ?? '',
  };

  function agentFor({ url, insecure = false }: HttpRequest): EnvHttpProxyAgent {
    const ca = insecure ? undefined : certificatesFor?.(new URL(url).hostname);
    const id = insecure ? 'insecure' : (ca ?? '');
    const agent =
      agents.get(id) ??
      new EnvHttpProxyAgent({ ...proxies, connect: { rejectUnauthorized: !insecure, ...(ca ? { ca } : {}) } });
    agents.delete(id);
    agents.set(id, agent);
    const [oldest] = agents;
    if (agents.size > maxAgents && oldest) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  }

  async function once(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const { method, url, headers = {}, body = '' } = request;
    const answer = await send(url, {
      method,
      headers: { ...headers, 'user-agent': 'fairlead-notifications' },
      ...(body === '' ? {} : { body }),
      signal,
      dispatcher: agentFor(request),
    });
    const flat = Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]);
    return { status: answer.statusCode, headers: Object.fromEntries(flat), body: await firstPart(answer.body) };
  }

  return {
    async send(first, signal) {
      let request = first;
      for (let redirects = 0; ; redirects++) {
        const answer = await once(request, signal);
        const next = redirected(request, answer);
        if (!next) return answer;
        if (redirects >= maxRedirects) throw new Error(`${first.url}: stopped after ${maxRedirects} redirects`);
        request = next;
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

async function firstPart(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > maxBody) break;
  }
  body.destroy();
  return Buffer.concat(parts).subarray(0, maxBody).toString();
}

/** The request that a redirect asks for. Credentials are not passed on to another host. */
function redirected(request: HttpRequest, { status, headers }: HttpAnswer): HttpRequest | undefined {
  const { location } = headers;
  if (!location || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = new URL(location, request.url);
  const from = new URL(request.url);
  const referer = from.protocol === 'https:' && url.protocol === 'http:' ? {} : { referer: withoutCredentials(from) };
  const sameHost = url.host === from.host;
  const kept = Object.entries({ ...request.headers, ...referer }).filter(
    ([name]) => sameHost || name.toLowerCase() !== 'authorization',
  );
  if (status >= 307) return { ...request, url: url.href, headers: Object.fromEntries(kept) };
  const { body: _, ...rest } = request;
  const bare = kept.filter(([name]) => !/^content-/iu.test(name));
  return {
    ...rest,
    url: url.href,
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    headers: Object.fromEntries(bare),
  };
}

const withoutCredentials = ({ protocol, host, pathname, search }: URL): string =>
  `${protocol}//${host}${pathname}${search}`;
