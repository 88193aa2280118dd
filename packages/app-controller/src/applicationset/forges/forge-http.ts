import { type Clock, limits } from '@fairlead/kube';
import { HttpSession, limiter, readBody, type Trust } from '@fairlead/source';

export interface ForgeRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the host of the URL alone. */
  readonly authorization?: string | undefined;
  readonly body?: string;
  readonly tls?: ForgeTls | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface ForgeTls {
  /** Certificates to trust, in PEM. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export interface ForgeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** HTTP to forges and plugins, with a bound on time, size and requests at the same time per host. */
export interface ForgeHttp {
  send(request: ForgeRequest): Promise<ForgeAnswer>;
  close(): Promise<void>;
}

export function createForgeHttp(options: {
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trust?: Trust;
}): ForgeHttp {
  const session = new HttpSession(options);
  const lanes = new Map<string, ReturnType<typeof limiter>>();
  const laneOf = (url: string): ReturnType<typeof limiter> => {
    const host = URL.parse(url)?.host ?? '';
    const lane = lanes.get(host) ?? limiter(limits.forgeRequestsPerHost);
    lanes.set(host, lane);
    return lane;
  };
  return {
    send: ({ url, method = 'GET', headers = {}, authorization, body, tls, timeoutMs }) =>
      laneOf(url)(async () => {
        const answer = await session.send({
          url,
          method,
          headers: { accept: 'application/json', ...headers },
          authorization,
          // Within one host; to another, credentials are not sent.
          redirect: 'follow',
          tries: 1,
          deadlineMs: timeoutMs ?? limits.forgeRequestMs,
          ...(body === undefined ? {} : { body }),
          ...(tls?.ca || tls?.insecure ? { credentials: { name: '', ...defined(tls) } } : {}),
        });
        const bytes = await readBody(answer, limits.forgeAnswerBytes);
        return { status: answer.status, headers: answer.headers, text: bytes.toString('utf8') };
      }),
    close: () => session.close(),
  };
}

const defined = ({ ca, insecure }: ForgeTls): { ca?: string; insecure?: boolean } => ({
  ...(ca ? { ca } : {}),
  ...(insecure ? { insecure } : {}),
});
