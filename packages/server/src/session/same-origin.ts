import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request that a cookie authenticates was sent by a page of this server. Browsers tell with every request where it comes from; clients that do
 * not are no browsers, and no other site can use their cookies.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, urls: readonly string[]): boolean {
  const { origin } = headers;
  if (origin !== undefined) return origins(headers.host, urls).has(origin.toLowerCase());
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** A page may be served from any address of the server, with TLS or without. */
function origins(host: string | undefined, urls: readonly string[]): ReadonlySet<string> {
  const own = host === undefined ? [] : [`http://${host.toLowerCase()}`, `https://${host.toLowerCase()}`];
  return new Set([...own, ...urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []))]);
}
