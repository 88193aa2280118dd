import type { Exchange } from './exchange.ts';

/** The checks of each endpoint; `ready` covers everything that is done before the first request is served. */
const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'storage'],
  livez: ['ping', 'log', 'storage'],
  readyz: ['ping', 'log', 'storage', 'ready'],
};

/**
 * `/livez`, `/readyz`, `/healthz`, one check of them (`/livez/ping`), and with `?verbose` a line for each. `problemOf` returns the reason
 * why a readiness check fails; a restart would not help, so the process is still live.
 */
export function healthRoute(
  path: string,
  problemOf: (check: string) => string | undefined,
): ((exchange: Exchange) => void) | undefined {
  const [, endpoint = '', name, ...rest] = path.split('/');
  const all = Object.hasOwn(checks, endpoint) ? checks[endpoint] : undefined;
  if (!all) return undefined;
  const problem = (check: string): string | undefined => (endpoint === 'readyz' ? problemOf(check) : undefined);
  if (name) {
    const isKnown = all.includes(name) && rest.length === 0;
    return (exchange) => {
      if (!isKnown) return exchange.sendPlain(404, '404 page not found\n');
      const found = problem(name);
      exchange.sendPlain(found === undefined ? 200 : 503, found ?? 'ok');
    };
  }
  return (exchange) => {
    const left = new Set(exchange.query.getAll('exclude'));
    const selected = all.filter((check) => !left.delete(check));
    const passed = selected.every((check) => problem(check) === undefined);
    if (passed && !exchange.query.has('verbose')) return exchange.sendPlain(200, 'ok');
    const lines = [
      ...all.map((check) => {
        if (!selected.includes(check)) return `[+]${check} excluded: ok`;
        const found = problem(check);
        return found === undefined ? `[+]${check} ok` : `[-]${check} failed: ${found}`;
      }),
      ...(left.size > 0 ? [`warn: some health checks cannot be excluded: no matches for ${quoted(left)}`] : []),
      `${endpoint} check ${passed ? 'passed' : 'failed'}`,
    ];
    exchange.sendPlain(passed ? 200 : 503, `${lines.join('\n')}\n`);
  };
}

const quoted = (names: Iterable<string>): string =>
  [...names]
    .sort()
    .map((name) => JSON.stringify(name))
    .join(',');
