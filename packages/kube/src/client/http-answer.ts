import { ApiError, apiError, type Status, type StatusReason, textAt } from '@fairlead/apimachinery';

const reasons: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/**
 * Converts an unsuccessful response to an error. A body that is not a Status (an error page of a proxy, plain text) becomes the message of
 * one.
 */
export function errorOfAnswer(code: number, body: string, request: string, retryAfterMs?: number): ApiError {
  const status = parseStatus(body) ?? ownStatus(code, body, request);
  status.code ??= code;
  if (retryAfterMs !== undefined && status.details?.retryAfterSeconds === undefined) {
    status.details = { ...status.details, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
  }
  return new ApiError(status);
}

function parseStatus(body: string): Status | undefined {
  try {
    const value = JSON.parse(body) as Partial<Status> | null;
    return value?.kind === 'Status' ? { ...(value as Status), metadata: value.metadata ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

/** The message in an error of Argo CD's API: `{"error": …, "code": …, "message": …}`, in a stream inside of `error`. */
function gatewayMessage(body: string): string {
  try {
    const answer: unknown = JSON.parse(body);
    return textAt(answer, 'message') || textAt(answer, 'error', 'message');
  } catch {
    return '';
  }
}

function ownStatus(code: number, body: string, request: string): Status {
  const message = gatewayMessage(body);
  if (message !== '') return apiError(code, reasons[code], message).status;
  const text = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const said = text === '' ? '' : `: ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`;
  return apiError(code, reasons[code], `${request}: the server answered ${code}${said}`).status;
}

/** A Retry-After header in ms: seconds, or a date. */
export function parseRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The texts of Warning headers: `299 - "text"`, several in one header or in several. */
export function parseWarnings(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return Array.from(text.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g), (match) => match[1]!.replaceAll(/\\(.)/g, '$1'));
}
