import type { JsonObject } from '@fairlead/apimachinery';
import type { ServiceAccountTokens } from '../access/index.ts';
import { type Answer, createDiscovery } from '../discovery/index.ts';
import { refuse } from '../errors.ts';
import { createOpenApi } from '../openapi/index.ts';
import type { Registry } from '../registry.ts';
import type { Exchange } from './exchange.ts';
import { healthRoute } from './health.ts';

export interface MetaParts {
  readonly registry: Registry;
  readonly tokens: ServiceAccountTokens;
  readonly address: () => string;
  /** Why a check of `/readyz` fails; undefined if it does not. */
  readonly problemOf: (check: string) => string | undefined;
  metrics(): string;
}

type Serve = (exchange: Exchange) => void;

/** Endpoints other than resources: health, version, discovery, OpenAPI, keys, metrics. False: none of these. */
export function createMetaRoutes(parts: MetaParts): (exchange: Exchange) => boolean {
  const discovery = createDiscovery(parts.registry, parts.address);
  const openApi = createOpenApi(parts.registry);
  return (exchange) => {
    const method = exchange.request.method ?? 'GET';
    const reading = method === 'GET' || method === 'HEAD';
    const path = exchange.path.length > 1 ? exchange.path.replace(/\/+$/, '') : exchange.path;
    const asked = {
      accept: exchange.request.headers.accept,
      'if-none-match': exchange.request.headers['if-none-match'],
    };
    const document = discovery(path, asked) ?? openApi(path, asked);
    const serve = document ? (to: Exchange) => sendAnswer(to, document) : route(parts, path);
    if (!serve) return false;
    if (!reading) throw refuse.methodNotAllowed();
    serve(exchange);
    return true;
  };
}

function sendAnswer({ response, request }: Exchange, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : { 'content-length': Buffer.byteLength(body) }) });
  response.end(request.method === 'HEAD' || status === 304 ? '' : body);
}

function route(parts: MetaParts, path: string): Serve | undefined {
  const health = healthRoute(path, parts.problemOf);
  if (health) return health;
  switch (path) {
    case '/':
      return (exchange) => exchange.send(200, { paths: rootPaths(parts.registry) });
    case '/version':
      return (exchange) => exchange.send(200, version);
    case '/metrics':
      return (exchange) => exchange.sendPlain(200, parts.metrics(), 'text/plain; version=0.0.4; charset=utf-8');
    case '/openid/v1/jwks':
      return (exchange) => exchange.send(200, { keys: [parts.tokens.jwk] });
    case '/.well-known/openid-configuration':
      return (exchange) => exchange.send(200, openIdConfiguration(parts));
    default:
      return undefined;
  }
}

const version: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.4+fairlead',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

function rootPaths(registry: Registry): string[] {
  const paths = new Set([
    '/api',
    '/api/v1',
    '/apis',
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/readyz',
    '/version',
  ]);
  for (const { group, version } of registry.all()) {
    if (group === '') continue;
    paths.add(`/apis/${group}`);
    paths.add(`/apis/${group}/${version}`);
  }
  return [...paths].sort();
}

function openIdConfiguration(parts: MetaParts): JsonObject {
  return {
    issuer: parts.tokens.issuer,
    jwks_uri: `https://${parts.address()}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [parts.tokens.algorithm],
  };
}
