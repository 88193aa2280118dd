import { at, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { discard, type HttpSession } from '../../http/http-session.ts';
import { readBody } from '../../http/read-body.ts';
import { SourceError } from '../../source-error.ts';
import { type RepositoryCredentials, redact } from '../credentials.ts';

/** A request to the server that issues tokens. */
export interface TokenRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  readonly body?: string;
}

export interface TokenReply {
  readonly status: number;
  readonly text: string;
}

export type SendTokenRequest = (request: TokenRequest) => Promise<TokenReply>;

/** Sends through the proxy and with the TLS settings of the repository. Redirects are not followed. */
export const tokenSender =
  (http: HttpSession, credentials: RepositoryCredentials): SendTokenRequest =>
  async (request) => {
    const answer = await http.send({ ...request, credentials, redirect: 'report' });
    if (answer.status >= 300 && answer.status < 400) {
      await discard(answer);
      return { status: answer.status, text: '' };
    }
    return { status: answer.status, text: (await readBody(answer, limits.registryTokenBytes)).toString() };
  };

/** The body of a successful reply as JSON. Otherwise throws an error with the status and what the server said, without `secrets`. */
export function tokenReply(request: TokenRequest, { status, text }: TokenReply, secrets: readonly string[]): unknown {
  const json = parsed(text);
  if (status >= 200 && status < 300 && json !== undefined) return json;
  const said = redact(messageIn(json) || text.trim(), secrets)
    .replaceAll(/\s+/gu, ' ')
    .slice(0, 300);
  const where = `${request.method} ${request.url.replace(/\?.*$/su, '')}`;
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  throw new SourceError(
    isRefusal ? 'AuthenticationFailed' : 'RepositoryUnavailable',
    `${where} returned ${status}${said === '' ? '' : `: ${said}`}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** GitHub: `message`; OAuth 2.0: `error_description`, `error`. */
function messageIn(json: unknown): string {
  const error = at(json, 'error');
  return textAt(json, 'message') || textAt(json, 'error_description') || (typeof error === 'string' ? error : '');
}

/** The time until which an OAuth 2.0 token is valid. */
export function expiryOf(json: unknown, now: number): number {
  const seconds = Number(at(json, 'expires_in'));
  return now + (seconds > 0 ? seconds : 60) * 1000;
}
