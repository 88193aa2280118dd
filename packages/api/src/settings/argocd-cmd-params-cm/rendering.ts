import { controller, notSupported, type Settings } from '../setting.ts';

const noRepoServer = 'manifests are rendered in process: there is no repo server';
const noRedis = 'there is no Redis: caches are in memory and on disk';
const noTraces = 'traces are not exported';
const limits = 'the limits are fixed; see the page on limits';
const wholeRepository = 'plugins are given all files of the repository';

/** Keys of the repo server, the commit server, Redis and tracing, none of which exist here. */
export const unsupportedRenderingSettings = {
  'repo.server': notSupported('text', 'argocd-repo-server:8081', controller, noRepoServer),
  'redis.server': notSupported('text', 'argocd-redis:6379', controller, noRedis),
  'redis.sentinel.hosts': notSupported('text', '', controller, noRedis),
  'redis.sentinel.master': notSupported('text', '', controller, noRedis),
  'redis.compression': notSupported('text', 'gzip', controller, noRedis),
  'redis.db': notSupported('text', '', controller, noRedis),
  'redis.key.prefix': notSupported('text', '', controller, noRedis),
  'otlp.address': notSupported('text', '', controller, noTraces),
  'otlp.insecure': notSupported('boolean', 'true', controller, noTraces),
  'otlp.headers': notSupported('text', '', controller, noTraces),
  'otlp.attrs': notSupported('text', '', controller, noTraces),
  'otlp.sample.ratio': notSupported('text', '1.0', controller, noTraces),
  'reposerver.listen.address': notSupported('text', '0.0.0.0', controller, noRepoServer),
  'reposerver.metrics.listen.address': notSupported('text', '0.0.0.0', controller, noRepoServer),
  'reposerver.disable.tls': notSupported('boolean', 'false', controller, noRepoServer),
  'reposerver.tls.minversion': notSupported('text', '1.2', controller, noRepoServer),
  'reposerver.tls.maxversion': notSupported('text', '1.3', controller, noRepoServer),
  'reposerver.tls.ciphers': notSupported('text', '', controller, noRepoServer),
  'reposerver.client.ca.path': notSupported('text', '', controller, noRepoServer),
  'reposerver.grpc.max.size': notSupported('text', '100', controller, noRepoServer),
  'reposerver.repo.cache.expiration': notSupported(
    'duration',
    '24h0m0s',
    controller,
    'manifests are cached by content until space is needed',
  ),
  'reposerver.revision.cache.lock.timeout': notSupported('duration', '10s', controller, noRedis),
  'reposerver.parallelism.limit': notSupported(
    'number',
    '0',
    controller,
    'the number of renderers follows the number of CPUs',
  ),
  'reposerver.git.lsremote.parallelism.limit': notSupported('number', '0', controller, limits),
  'reposerver.git.request.timeout': notSupported('duration', '15s', controller, limits),
  'reposerver.max.combined.directory.manifests.size': notSupported('text', '10M', controller, limits),
  'reposerver.streamed.manifest.max.tar.size': notSupported('text', '100M', controller, noRepoServer),
  'reposerver.streamed.manifest.max.extracted.size': notSupported('text', '1G', controller, noRepoServer),
  'reposerver.oci.manifest.max.extracted.size': notSupported('text', '1G', controller, limits),
  'reposerver.disable.oci.manifest.max.extracted.size': notSupported('boolean', 'false', controller, limits),
  'reposerver.helm.manifest.max.extracted.size': notSupported('text', '1G', controller, limits),
  'reposerver.disable.helm.manifest.max.extracted.size': notSupported('boolean', 'false', controller, limits),
  'reposerver.oci.layer.media.types': notSupported('list', '', controller, 'the media types of artifacts are fixed'),
  'reposerver.helm.user.agent': notSupported('text', '', controller, 'the user agent is fixed'),
  'reposerver.allow.oob.symlinks': notSupported(
    'boolean',
    'false',
    controller,
    'symbolic links never lead out of a repository',
  ),
  'reposerver.enable.git.submodule': notSupported(
    'boolean',
    'true',
    controller,
    'submodules are fetched if `sourceRepos` of the project permits them',
  ),
  'reposerver.enable.builtin.git.config': notSupported(
    'boolean',
    'true',
    controller,
    'git always runs with a separate configuration',
  ),
  'reposerver.include.hidden.directories': notSupported(
    'boolean',
    'false',
    controller,
    'which directories are read does not depend on a setting',
  ),
  'reposerver.plugin.tar.exclusions': notSupported('text', '', controller, wholeRepository),
  'reposerver.plugin.use.manifest.generate.paths': notSupported('boolean', 'false', controller, wholeRepository),
  'commitserver.listen.address': notSupported(
    'text',
    '0.0.0.0',
    controller,
    'the source hydrator is part of the controller: there is no commit server',
  ),
  'commitserver.metrics.listen.address': notSupported(
    'text',
    '0.0.0.0',
    controller,
    'the source hydrator is part of the controller: there is no commit server',
  ),
} as const satisfies Settings;
