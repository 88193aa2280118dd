import { notSupported, type Setting, type SettingRole, type SettingType } from '../setting.ts';

/** The processes of Argo CD whose keys begin with these words, and the role that does their work here. */
const processes = {
  controller: 'controller',
  server: 'server',
  applicationsetcontroller: 'applicationset',
  notificationscontroller: 'notifications',
  reposerver: 'controller',
  commitserver: 'controller',
  dexserver: 'server',
} as const satisfies Record<string, SettingRole>;

type Process = keyof typeof processes;
type Row = readonly [of: readonly Process[], key: string, type: SettingType, byDefault: string, why: string];

const clients = ['controller', 'server', 'applicationsetcontroller'] as const;
const callers = [...clients, 'notificationscontroller'] as const;
const all = [...callers, 'reposerver', 'commitserver', 'dexserver'] as const;
const withGrpc = [...clients, 'reposerver', 'commitserver'] as const;
const withCache = ['controller', 'server'] as const;

const ownClient = 'the Kubernetes client has its own connections and request limits';
const inProcess = 'manifests are rendered in process: there is no repo server to connect to';
const noRedis = 'there is no cache in Redis';
const logging = 'logs are lines of text on standard error';

/** Keys that several processes of Argo CD have in common. */
const rows: readonly Row[] = [
  [all, 'log.format', 'text', 'json', logging],
  [all, 'log.level', 'text', 'info', 'set `FAIRLEAD_LOG` in the environment of the role'],
  [
    [...clients, 'reposerver'],
    'profile.enabled',
    'boolean',
    'false',
    'there is no endpoint for profiles: use `node --cpu-prof`',
  ],
  [clients, 'k8s.client.qps', 'number', '50', ownClient],
  [clients, 'k8s.client.burst', 'number', '100', ownClient],
  [clients, 'k8s.client.max.idle.connections', 'number', '500', ownClient],
  [clients, 'k8s.tcp.timeout', 'duration', '30s', ownClient],
  [clients, 'k8s.tcp.keepalive', 'duration', '30s', ownClient],
  [clients, 'k8s.tls.handshake.timeout', 'duration', '10s', ownClient],
  [clients, 'k8s.tcp.idle.timeout', 'duration', '5m', ownClient],
  [withCache, 'k8sclient.retry.max', 'number', '0', 'requests that may be repeated are repeated with back-off'],
  [
    withCache,
    'k8sclient.retry.base.backoff',
    'number',
    '100',
    'requests that may be repeated are repeated with back-off',
  ],
  [withCache, 'app.state.cache.expiration', 'duration', '1h0m0s', noRedis],
  [[...withCache, 'reposerver'], 'default.cache.expiration', 'duration', '24h0m0s', noRedis],
  [['controller', 'server', 'notificationscontroller'], 'repo.server.plaintext', 'boolean', 'false', inProcess],
  [withCache, 'repo.server.strict.tls', 'boolean', 'false', inProcess],
  [['server'], 'repo.server.timeout.seconds', 'seconds', '60', inProcess],
  [callers, 'repo.server.ca.cert.path', 'text', '', inProcess],
  [callers, 'repo.server.client.cert.path', 'text', '', inProcess],
  [callers, 'repo.server.client.cert.key.path', 'text', '', inProcess],
  [withGrpc, 'grpc.enable.txt.service.config', 'boolean', 'false', 'no role calls another one by gRPC'],
];

/** Each key of the rows, once for each process that has it. */
export const processSettings: Readonly<Record<string, Setting>> = Object.fromEntries(
  rows.flatMap(([of, key, type, byDefault, why]) =>
    of.map((process) => [`${process}.${key}`, notSupported(type, byDefault, [processes[process]], why)] as const),
  ),
);
