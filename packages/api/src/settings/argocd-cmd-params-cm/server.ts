import { notSupported, type Settings, server } from '../setting.ts';

const noDex = 'Dex is not included';
const tls = 'the versions and ciphers are those of Node';
const limits = 'the limits are fixed; see the page on limits';

/** Keys of the API server and of Dex that have no effect. */
export const unsupportedServerSettings = {
  'server.listen.address': notSupported('text', '0.0.0.0', server, 'use the flag `--host` of `fairlead server`'),
  'server.metrics.listen.address': notSupported(
    'text',
    '0.0.0.0',
    server,
    'use the flags `--host` and `--metrics-port`',
  ),
  'server.insecure': notSupported('boolean', 'false', server, 'use the flag `--insecure` of `fairlead server`'),
  'server.basehref': notSupported('text', '/', server, 'the server is always at the root of its address'),
  'server.rootpath': notSupported('text', '', server, 'the server is always at the root of its address'),
  'server.staticassets': notSupported(
    'text',
    '/shared/app',
    server,
    'the files of the user interface are part of the program',
  ),
  'server.api.content.types': notSupported(
    'text',
    'application/json',
    server,
    'changes need the content type application/json, and an origin of the server',
  ),
  'server.webhook.parallelism.limit': notSupported('number', '50', server, limits),
  'server.webhook.refresh.workers': notSupported('number', '20', server, limits),
  'server.glob.cache.size': notSupported('number', '10000', server, 'how globs are cached cannot be configured'),
  'server.sync.replace.allowed': notSupported('boolean', 'true', server, 'a sync with Replace is always allowed'),
  'server.dex.server': notSupported('text', 'http://argocd-dex-server:5556', server, noDex),
  'server.dex.server.plaintext': notSupported('boolean', 'false', server, noDex),
  'server.dex.server.strict.tls': notSupported('boolean', 'false', server, noDex),
  'dexserver.disable.tls': notSupported('boolean', 'false', server, noDex),
  'dexserver.connector.failure.continue': notSupported('boolean', 'false', server, noDex),
  'server.disable.auth': notSupported('boolean', 'false', server, 'requests are always authenticated'),
  'server.disable.swagger.ui': notSupported('boolean', 'false', server, 'the description of the API is always served'),
  'server.enable.gzip': notSupported('boolean', 'true', server, 'responses are compressed if the client accepts it'),
  'server.x.frame.options': notSupported('text', 'sameorigin', server, 'headers of responses are fixed'),
  'server.content.security.policy': notSupported(
    'text',
    "frame-ancestors 'self';",
    server,
    'headers of responses are fixed',
  ),
  'server.http.cookie.maxnumber': notSupported('number', '20', server, limits),
  'server.tls.minversion': notSupported('text', '1.2', server, tls),
  'server.tls.maxversion': notSupported('text', '1.3', server, tls),
  'server.tls.ciphers': notSupported('text', '', server, tls),
  'server.connection.status.cache.expiration': notSupported(
    'duration',
    '1h0m0s',
    server,
    'a change of credentials is tested at once',
  ),
  'server.oidc.cache.expiration': notSupported(
    'duration',
    '3m0s',
    server,
    'sessions are in cookies, and not in a cache',
  ),
  'server.enable.proxy.extension': notSupported('boolean', 'false', server, 'requests are not forwarded to extensions'),
} as const satisfies Settings;
