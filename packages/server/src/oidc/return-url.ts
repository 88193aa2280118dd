/** The addresses of this server that browsers use: `url` and `additionalUrls`. */
export type ServerUrls = readonly string[];

/**
 * Whether a browser may be sent to an address after sign-in: scheme and host are those of the server, and the path is within its path. An empty address is
 * the server's own. A relative one is not accepted: what browsers make of `//host` and `/\host` is another host.
 */
export function isReturnUrl(address: string, urls: ServerUrls): boolean {
  if (address === '') return true;
  // Browsers remove these before they parse.
  if (/[\p{Cc}\s\\]/u.test(address)) return false;
  const target = URL.canParse(address) ? new URL(address) : undefined;
  if (target?.username !== '' || target.password !== '' || /%0[ad]/iu.test(target.pathname)) return false;
  return urls.some((url) => {
    const base = URL.canParse(url) ? new URL(url) : undefined;
    return base !== undefined && base.origin === target.origin && isWithin(target.pathname, base.pathname);
  });
}

function isWithin(path: string, base: string): boolean {
  const prefix = base.endsWith('/') ? base : `${base}/`;
  return path === base || `${path}/`.startsWith(prefix);
}

/** The address of the server that a request was sent to, by its host; the first if none fits. */
export function urlForHost(urls: ServerUrls, host: string | undefined): string {
  return urls.find((url) => URL.canParse(url) && new URL(url).host === host) ?? urls[0] ?? '';
}

/** A path below an address of the server. */
export function below(url: string, path: string): string {
  return `${url.replace(/\/+$/u, '')}${path}`;
}
