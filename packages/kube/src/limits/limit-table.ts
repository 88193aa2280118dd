/** A bound on an input: what it applies to, and what happens when it is exceeded. */
export interface LimitDefinition {
  /** The heading of the limit in docs/operate/limits.md. */
  readonly input: (typeof inputs)[number];
  readonly value: number;
  readonly unit: 'bytes' | 'count' | 'ms';
  readonly meaning: string;
  readonly exceeded: string;
  /** The setting, flag or field that changes it; it is fixed if left out. */
  readonly setting?: string;
}

export const inputs = [
  'Webhooks',
  'Git',
  'Chart repositories, registries and files',
  'Archives',
  'Rendering',
  'Health scripts and jq',
  'Image updater',
  'Clusters',
  'Agents',
  'Process',
] as const;

const KiB = 1024;
const MiB = 1024 ** 2;
const GiB = 1024 ** 3;
const second = 1_000;

const defineLimits = <const T extends Readonly<Record<string, LimitDefinition>>>(table: T): T => table;

/**
 * Every bound on what others can send, in one table. `docs/operate/limits.md` has a row for each entry, and a test compares the two. Code
 * reads the values from `limits`.
 */
export const limitTable = defineLimits({
  webhookSignedBytes: {
    input: 'Webhooks',
    value: 10 * MiB,
    unit: 'bytes',
    meaning: 'body of a request to a host kind with a secret',
    exceeded: '413',
  },
  webhookUnsignedBytes: {
    input: 'Webhooks',
    value: 2 * MiB,
    unit: 'bytes',
    meaning: 'body of a request to a host kind without a secret',
    exceeded: '413',
  },
  webhookBodyMs: {
    input: 'Webhooks',
    value: 10 * second,
    unit: 'ms',
    meaning: 'time until the whole body has arrived',
    exceeded: '408',
  },
  webhookPushes: {
    input: 'Webhooks',
    value: 100,
    unit: 'count',
    meaning: 'refs of one request that are matched one by one',
    exceeded: 'the request counts as a push to every ref of the repository',
  },
  webhookFiles: {
    input: 'Webhooks',
    value: 10_000,
    unit: 'count',
    meaning: 'changed files of one push that are matched with `manifest-generate-paths`',
    exceeded: 'the push counts as a change of every file',
  },
  webhookBurst: {
    input: 'Webhooks',
    value: 50,
    unit: 'count',
    meaning: 'requests of one sender at once; a body counts once more for each 256 KiB',
    exceeded: '429',
  },
  webhookPerSecond: {
    input: 'Webhooks',
    value: 10,
    unit: 'count',
    meaning: 'requests of one sender per second after the burst',
    exceeded: '429',
  },
  agentConnectionsBeforeAuthentication: {
    input: 'Agents',
    value: 512,
    unit: 'count',
    meaning: 'connections to the principal without a trusted certificate',
    exceeded: 'the connection is closed',
  },
  agentConnectionsPerPeer: {
    input: 'Agents',
    value: 64,
    unit: 'count',
    meaning: 'connections of one agent, or of one address without a trusted certificate',
    exceeded: 'the connection is closed',
  },
  agentStreamsPerConnection: {
    input: 'Agents',
    value: 32,
    unit: 'count',
    meaning: 'calls at the same time on one connection',
    exceeded: 'the call is refused (`REFUSED_STREAM`)',
  },
  agentStreamsPerPeer: {
    input: 'Agents',
    value: 64,
    unit: 'count',
    meaning: 'calls at the same time of one agent, or of one address without a trusted certificate',
    exceeded: 'the call is refused (`REFUSED_STREAM`)',
  },
  agentBytesBeforeAuthentication: {
    input: 'Agents',
    value: 64 * KiB,
    unit: 'bytes',
    meaning:
      'what is buffered for a connection without a trusted certificate, and the largest request of a call such as `Join`',
    exceeded: '`RESOURCE_EXHAUSTED`',
  },
  agentBytesPerPeer: {
    input: 'Agents',
    value: 32 * MiB,
    unit: 'bytes',
    meaning: 'incomplete messages that are buffered for one agent',
    exceeded: '`RESOURCE_EXHAUSTED`',
  },
  agentMessageBytes: {
    input: 'Agents',
    value: 8 * MiB,
    unit: 'bytes',
    meaning: 'one message of a stream, also after decompression',
    exceeded: 'the message is skipped, and `status.reason` of the Agent reports it',
  },
  agentMessagesInProcess: {
    input: 'Agents',
    value: 1_024,
    unit: 'count',
    meaning: 'messages of one agent that are processed at the same time',
    exceeded: 'its stream is not read until one is done',
  },
  agentHeaderBytes: {
    input: 'Agents',
    value: 16 * KiB,
    unit: 'bytes',
    meaning: 'headers of one call',
    exceeded: 'the call is reset',
  },
  agentHandshakeMs: {
    input: 'Agents',
    value: 10 * second,
    unit: 'ms',
    meaning: 'TLS handshake',
    exceeded: 'the connection is closed',
  },
  agentJoinMs: {
    input: 'Agents',
    value: 30 * second,
    unit: 'ms',
    meaning: 'life of a connection without a trusted certificate',
    exceeded: 'the connection is closed',
  },
  agentRequestMs: {
    input: 'Agents',
    value: 10 * second,
    unit: 'ms',
    meaning: 'time until the whole request of a call such as `Join` has arrived',
    exceeded: '`DEADLINE_EXCEEDED`',
  },
  agentIdleMs: {
    input: 'Agents',
    value: 120 * second,
    unit: 'ms',
    meaning: 'silence on a connection of an agent',
    exceeded: 'the connection is closed',
  },
  agentLogMs: {
    input: 'Agents',
    value: 15 * second,
    unit: 'ms',
    meaning: 'time until an agent has sent a log that was requested',
    exceeded: '504',
  },
  agentLogBytes: {
    input: 'Agents',
    value: 8 * MiB,
    unit: 'bytes',
    meaning: 'one log through an agent',
    exceeded: '413',
  },
  gitProcesses: {
    input: 'Git',
    value: 32,
    unit: 'count',
    meaning: '`git` processes at the same time',
    exceeded: 'others wait',
  },
  gitProcessesPerHost: {
    input: 'Git',
    value: 16,
    unit: 'count',
    meaning: '`git` processes at the same time for one host',
    exceeded: 'others of the host wait',
  },
  gitProcessesPerProjectAndHost: {
    input: 'Git',
    value: 8,
    unit: 'count',
    meaning: '`git` processes at the same time for the sources of one project on one host',
    exceeded: 'others of the project on the host wait',
  },
  gitProcessesPerProject: {
    input: 'Git',
    value: 16,
    unit: 'count',
    meaning: '`git` processes at the same time for the sources of one project',
    exceeded: 'others of the project wait',
  },
  gitFirstByteMs: {
    input: 'Git',
    value: 10 * second,
    unit: 'ms',
    meaning: 'silence of an HTTP server that was asked for its refs',
    exceeded: 'the request fails',
  },
  gitRefsMs: {
    input: 'Git',
    value: 60 * second,
    unit: 'ms',
    meaning: 'time until a server has sent its refs',
    exceeded: 'the request fails',
  },
  gitRefs: {
    input: 'Git',
    value: 1_000_000,
    unit: 'count',
    meaning: 'refs that a server sends; with version 2 of the protocol it sends only those that are needed',
    exceeded: 'the request fails',
  },
  gitRefsBytes: {
    input: 'Git',
    value: 256 * MiB,
    unit: 'bytes',
    meaning: 'refs that a server sends',
    exceeded: 'the request fails',
  },
  gitRefsMemoryBytes: {
    input: 'Git',
    value: 512 * MiB,
    unit: 'bytes',
    meaning: 'memory of the `git` processes of one request for refs (on Linux)',
    exceeded: 'the request fails',
  },
  gitMemoryBytes: {
    input: 'Git',
    value: 2 * GiB,
    unit: 'bytes',
    meaning: 'memory of the `git` processes of one fetch or push (on Linux)',
    exceeded: 'it fails',
  },
  gitOutputBytes: {
    input: 'Git',
    value: 64 * MiB,
    unit: 'bytes',
    meaning: 'output of one `git` process, except for refs and objects',
    exceeded: 'the process is ended',
  },
  gitMs: {
    input: 'Git',
    value: 90 * second,
    unit: 'ms',
    meaning: 'one fetch, push or other `git` process',
    exceeded: 'the process is ended',
  },
  gitObjectBytes: {
    input: 'Git',
    value: 64 * MiB,
    unit: 'bytes',
    meaning: 'one file, folder or commit',
    exceeded: 'it is not read',
  },
  gitMirrorBytes: {
    input: 'Git',
    value: 10 * GiB,
    unit: 'bytes',
    meaning: 'all copies of repositories on the disk',
    exceeded: 'the one used least recently is removed; a repository that is larger alone is refused',
  },
  gitRepositories: {
    input: 'Git',
    value: 20_000,
    unit: 'count',
    meaning: 'repositories that are followed at the same time',
    exceeded: 'the one used least recently is forgotten',
  },
  httpFetches: {
    input: 'Chart repositories, registries and files',
    value: 128,
    unit: 'count',
    meaning: 'fetches at the same time',
    exceeded: 'others wait',
  },
  httpFetchesPerHost: {
    input: 'Chart repositories, registries and files',
    value: 32,
    unit: 'count',
    meaning: 'fetches at the same time from one host',
    exceeded: 'others of the host wait',
  },
  httpFetchesPerProjectAndHost: {
    input: 'Chart repositories, registries and files',
    value: 16,
    unit: 'count',
    meaning: 'fetches at the same time for the sources of one project from one host',
    exceeded: 'others of the project from the host wait',
  },
  httpFetchesPerProject: {
    input: 'Chart repositories, registries and files',
    value: 32,
    unit: 'count',
    meaning: 'fetches at the same time for the sources of one project',
    exceeded: 'others of the project wait',
  },
  httpConnectMs: {
    input: 'Chart repositories, registries and files',
    value: 10 * second,
    unit: 'ms',
    meaning: 'time until a connection is open',
    exceeded: 'the request fails',
  },
  httpFirstByteMs: {
    input: 'Chart repositories, registries and files',
    value: 30 * second,
    unit: 'ms',
    meaning: 'silence of a server, before and in its answer',
    exceeded: 'the request fails',
  },
  httpRequestMs: {
    input: 'Chart repositories, registries and files',
    value: 90 * second,
    unit: 'ms',
    meaning: 'time until an answer is complete, with redirects and retries',
    exceeded: 'the request fails',
  },
  httpDownloadMs: {
    input: 'Chart repositories, registries and files',
    value: 300 * second,
    unit: 'ms',
    meaning: 'time until the archive of a chart or the layer of an artifact is complete',
    exceeded: 'the request fails',
  },
  httpRedirects: {
    input: 'Chart repositories, registries and files',
    value: 10,
    unit: 'count',
    meaning: 'redirects of one request',
    exceeded: 'the request fails',
  },
  chartIndexBytes: {
    input: 'Chart repositories, registries and files',
    value: 256 * MiB,
    unit: 'bytes',
    meaning: '`index.yaml` of a chart repository',
    exceeded: 'it is not read',
  },
  chartIndexCacheBytes: {
    input: 'Chart repositories, registries and files',
    value: 2 * GiB,
    unit: 'bytes',
    meaning: 'all copies of indexes on the disk',
    exceeded: 'the one used least recently is removed',
  },
  chartBytes: {
    input: 'Chart repositories, registries and files',
    value: 100 * MiB,
    unit: 'bytes',
    meaning: 'archive of a chart',
    exceeded: 'it is not read',
  },
  remoteFileBytes: {
    input: 'Chart repositories, registries and files',
    value: 20 * MiB,
    unit: 'bytes',
    meaning: 'values file or manifest that is named by its address',
    exceeded: 'it is not read',
  },
  registryManifestBytes: {
    input: 'Chart repositories, registries and files',
    value: 4 * MiB,
    unit: 'bytes',
    meaning: 'manifest in a registry',
    exceeded: 'it is not read',
  },
  registryTokenBytes: {
    input: 'Chart repositories, registries and files',
    value: 1 * MiB,
    unit: 'bytes',
    meaning: 'answer of a token server',
    exceeded: 'it is not read',
  },
  registryTagPageBytes: {
    input: 'Chart repositories, registries and files',
    value: 16 * MiB,
    unit: 'bytes',
    meaning: 'one page of a list of tags',
    exceeded: 'it is not read',
  },
  registryTagPages: {
    input: 'Chart repositories, registries and files',
    value: 5_000,
    unit: 'count',
    meaning: 'pages of a list of tags',
    exceeded: 'it is not read',
  },
  registryTags: {
    input: 'Chart repositories, registries and files',
    value: 200_000,
    unit: 'count',
    meaning: 'tags of one repository, if a version range is resolved',
    exceeded: 'the range is not resolved',
  },
  registryTagsMs: {
    input: 'Chart repositories, registries and files',
    value: 120 * second,
    unit: 'ms',
    meaning: 'time until all pages of a list of tags are read',
    exceeded: 'the list is not read',
  },
  archiveCacheBytes: {
    input: 'Archives',
    value: 2 * GiB,
    unit: 'bytes',
    meaning: 'all archives on the disk',
    exceeded: 'the one used least recently is removed',
  },
  archiveMemoryBytes: {
    input: 'Archives',
    value: 256 * MiB,
    unit: 'bytes',
    meaning: 'all unpacked archives in memory',
    exceeded: 'the one used least recently is removed',
  },
  imageUpdateMs: {
    input: 'Image updater',
    value: 120 * second,
    unit: 'ms',
    meaning: 'time until the registries have answered for one Application',
    exceeded: 'the images of the Application are not updated this time, with the reason in its status',
  },
  imageSlotMs: {
    input: 'Image updater',
    value: 500,
    unit: 'ms',
    meaning: 'how long an update that waits for registries keeps its slot (`--max-concurrency`)',
    exceeded: 'the slot is given to another update; further updates with these registries release it at once',
  },
  imageWarmUpMs: {
    input: 'Image updater',
    value: 15 * second,
    unit: 'ms',
    meaning: 'how long the first updates wait until all registries have been asked once',
    exceeded: 'they start',
  },
  imageRequestsPerRegistry: {
    input: 'Image updater',
    value: 20,
    unit: 'count',
    meaning: 'requests at the same time to one registry',
    exceeded: 'others wait',
  },
  imageTags: {
    input: 'Image updater',
    value: 500_000,
    unit: 'count',
    meaning: 'tags of one image',
    exceeded: 'the image is not updated',
  },
  imageConfigBytes: {
    input: 'Image updater',
    value: 4 * MiB,
    unit: 'bytes',
    meaning: 'configuration or signature of an image',
    exceeded: 'it is not read',
  },
  clusterRequests: {
    input: 'Clusters',
    value: 100,
    unit: 'count',
    meaning: 'requests about single objects to one cluster at the same time',
    exceeded: 'others wait',
  },
  clusterFirstByteMs: {
    input: 'Clusters',
    value: 30 * second,
    unit: 'ms',
    meaning: 'silence of the API server of a cluster',
    exceeded: 'the request fails; after two failures of its probe, the Applications of the cluster are `Unknown`',
  },
  sourceBackoffMs: {
    input: 'Process',
    value: 180 * second,
    unit: 'ms',
    meaning:
      'longest pause before a repository or registry that fails is tried again, shared by all its Applications; the first is 10 s',
    exceeded: 'the last error is reported; a requested refresh tries at once',
  },
  archiveFiles: {
    input: 'Archives',
    value: 20_000,
    unit: 'count',
    meaning: 'files and folders of a chart archive or OCI artifact',
    exceeded: 'the archive is refused',
  },
  archiveFileBytes: {
    input: 'Archives',
    value: 20 * MiB,
    unit: 'bytes',
    meaning: 'one file of an archive',
    exceeded: 'the archive is refused',
  },
  archiveBytes: {
    input: 'Archives',
    value: 100 * MiB,
    unit: 'bytes',
    meaning: 'an archive after decompression',
    exceeded: 'the archive is refused',
  },
  archiveRatio: {
    input: 'Archives',
    value: 200,
    unit: 'count',
    meaning: 'size after decompression as a multiple of the size before, where it is more than 10 MiB',
    exceeded: 'the archive is refused',
  },
  archiveDepth: {
    input: 'Archives',
    value: 64,
    unit: 'count',
    meaning: 'folders inside each other',
    exceeded: 'the archive is refused',
  },
  renderCpuMs: {
    input: 'Rendering',
    value: 20 * second,
    unit: 'ms',
    meaning: 'CPU time of one render',
    exceeded: 'the render is ended, and counts against its project',
    setting: '`controller.repo.server.timeout.seconds`',
  },
  renderMemoryBytes: {
    input: 'Rendering',
    value: 512 * MiB,
    unit: 'bytes',
    meaning: 'heap of one render',
    exceeded: 'the render is ended, and counts against its project',
  },
  renderObjects: {
    input: 'Rendering',
    value: 10_000,
    unit: 'count',
    meaning: 'objects that a chart, kustomization or directory renders to',
    exceeded: 'the render fails',
  },
  renderBytes: {
    input: 'Rendering',
    value: 64 * MiB,
    unit: 'bytes',
    meaning: 'manifests of one render, as JSON',
    exceeded: 'the render fails',
  },
  renderReads: {
    input: 'Rendering',
    value: 200_000,
    unit: 'count',
    meaning: 'files and folders that one render reads',
    exceeded: 'the render is ended',
  },
  valueFilesBytes: {
    input: 'Rendering',
    value: 512 * KiB,
    unit: 'bytes',
    meaning: 'value files whose parameters the API lists for one source',
    exceeded: 'no parameters are listed',
  },
  luaCpuMs: {
    input: 'Health scripts and jq',
    value: 1 * second,
    unit: 'ms',
    meaning: 'CPU time of a health script for one object',
    exceeded: 'the health is Unknown; after three in a row the script pauses for a minute',
  },
  luaMemoryBytes: {
    input: 'Health scripts and jq',
    value: 32 * MiB,
    unit: 'bytes',
    meaning: 'strings and tables of a health script for one object',
    exceeded: 'the health is Unknown',
  },
  jqCpuMs: {
    input: 'Health scripts and jq',
    value: 1 * second,
    unit: 'ms',
    meaning: 'CPU time of a jq path expression for one object',
    exceeded: 'the object cannot be compared, and the Application reports it',
    setting: '`controller.ignore.normalizer.jq.timeout`',
  },
  sandboxMemoryBytes: {
    input: 'Health scripts and jq',
    value: 256 * MiB,
    unit: 'bytes',
    meaning: 'heap of a process that runs scripts or jq',
    exceeded: 'the process is replaced, and the object is reported',
  },
  sourceWaits: {
    input: 'Process',
    value: 1_000,
    unit: 'count',
    meaning: 'reconciles of one project that wait for sources at the same time',
    exceeded: 'further ones are retried with back-off',
  },
  sandboxPauseMs: {
    input: 'Process',
    value: 60 * second,
    unit: 'ms',
    meaning:
      'longest pause of a project whose renders or scripts exceed limits again and again; the second costs 1 s, and each success takes one back',
    exceeded: 'its renders and scripts wait',
  },
  eventLoopLagMs: {
    input: 'Process',
    value: 2 * second,
    unit: 'ms',
    meaning: 'longest delay of the event loop in the past 30 s',
    exceeded: '`/readyz` fails with the check `event loop`',
  },
});

export type LimitName = keyof typeof limitTable;

/** The values of the table by name. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { value }]) => [name, value]),
) as Readonly<Record<LimitName, number>>;

/** A value as docs and messages print it: `10 MiB`, `250 ms`, `20,000`. */
export function formatLimit({ value, unit }: Pick<LimitDefinition, 'value' | 'unit'>): string {
  if (unit === 'ms') return value >= second && value % second === 0 ? `${value / second} s` : `${value} ms`;
  if (unit === 'count') return value.toLocaleString('en-US');
  for (const [size, name] of [
    [GiB, 'GiB'],
    [MiB, 'MiB'],
    [KiB, 'KiB'],
  ] as const) {
    if (value >= size && value % size === 0) return `${value / size} ${name}`;
  }
  return `${value} bytes`;
}
