import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';

/** The headers of a request that concern the API server. Never credentials, and nobody to impersonate. */
const passed: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'sec-websocket-key',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'user-agent',
]);

/** Headers that concern one connection, as RFC 9110 lists them. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type HeaderValues = Record<string, string | string[]>;

export const requestHeaders = (headers: IncomingHttpHeaders): HeaderValues => kept(headers, (name) => passed.has(name));

export const endToEndHeaders = (headers: IncomingHttpHeaders): HeaderValues =>
  kept(headers, (name) => !hopByHop.has(name) && !name.startsWith(':'));

function kept(headers: IncomingHttpHeaders, isKept: (name: string) => boolean): HeaderValues {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && isKept(name.toLowerCase()) ? [[name.toLowerCase(), value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** The response to a request for another protocol that is not permitted. */
export function writeUpgradeRefusal(socket: Duplex, code: number, text: string): void {
  if (socket.destroyed) return;
  const size = Buffer.byteLength(text);
  socket.end(
    `HTTP/1.1 ${code} Refused\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\nconnection: close\r\n\r\n${text}`,
  );
}
