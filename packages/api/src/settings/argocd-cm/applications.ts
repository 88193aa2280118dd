import {
  controller,
  controllerAndServer,
  different,
  honoured,
  notSupported,
  oneOf,
  type Settings,
} from '../setting.ts';

const kustomizeVersions = 'registers a version that `kustomize.version` of a source may name';
const oneKustomize = 'the path is not used: everything is built as by Kustomize 5.8';

/** Keys about Applications: tracking, refresh, sync and rendering. */
export const applicationSettings = {
  'application.resourceTrackingMethod': oneOf(
    ['annotation', 'annotation+label', 'label'],
    'annotation',
    controllerAndServer,
    'how an object is marked as part of an Application',
  ),
  'application.instanceLabelKey': honoured(
    'text',
    'app.kubernetes.io/instance',
    controllerAndServer,
    'the label with the name of the Application, for the tracking methods that use one',
  ),
  installationID: honoured(
    'text',
    '',
    controllerAndServer,
    'tells installations apart that deploy to the same cluster',
  ),
  'timeout.reconciliation': honoured(
    'duration',
    '120s',
    controller,
    'the age at which a comparison is repeated; 0 for never',
  ),
  'timeout.reconciliation.jitter': honoured(
    'duration',
    '60s',
    controller,
    'up to this much is added to the age at random',
  ),
  'timeout.hard.reconciliation': honoured(
    'duration',
    '0s',
    controller,
    'the age at which manifests are rendered again; 0 for never',
  ),
  'application.sync.impersonation.enabled': honoured(
    'boolean',
    'false',
    controllerAndServer,
    'syncs use the service account that the project names for the destination',
  ),
  'application.sync.impersonation.enforced': honoured(
    'boolean',
    'true',
    controllerAndServer,
    'with impersonation, a sync fails if the project names no service account for the destination',
  ),
  globalProjects: honoured(
    'yaml',
    '',
    controllerAndServer,
    'projects whose rules the projects with matching labels have too',
  ),
  'cluster.inClusterEnabled': honoured(
    'boolean',
    'true',
    controllerAndServer,
    'Applications may deploy to the cluster of the control plane',
  ),
  'helm.enable': honoured(
    'boolean',
    'true',
    controller,
    'charts are rendered; otherwise their folders are plain manifests',
  ),
  'kustomize.enable': honoured(
    'boolean',
    'true',
    controller,
    'kustomizations are built; otherwise their folders are plain manifests',
  ),
  'jsonnet.enable': honoured(
    'boolean',
    'true',
    controllerAndServer,
    'Jsonnet files of a directory source are rendered',
  ),
  'helm.valuesFileSchemes': honoured(
    'list',
    'http, https',
    controllerAndServer,
    'the schemes of remote value files: http, https or both; `sourceRepos` of the project must permit the address too',
  ),
  'kustomize.buildOptions': honoured('text', '', controllerAndServer, 'flags of `kustomize build` for every source'),
  'kustomize.buildOptions.*': notSupported(
    'text',
    '',
    controller,
    'everything is built by one version of Kustomize: use `kustomize.buildOptions`',
  ),
  'kustomize.path.*': different('text', '', controller, kustomizeVersions, oneKustomize),
  'kustomize.version.*': different(
    'text',
    '',
    controller,
    `${kustomizeVersions}; an older name of \`kustomize.path.*\``,
    oneKustomize,
  ),
  'commit.author.name': honoured('text', 'Argo CD', controller, 'the author of commits of the source hydrator'),
  'commit.author.email': honoured('text', 'argo-cd@example.com', controller, 'the address of that author'),
  'sourceHydrator.commitMessageTemplate': honoured(
    'text',
    '',
    controller,
    'the Go template of messages of these commits, with `.metadata.drySha`, `subject`, `body`, `author`, `date` and `repoURL`',
  ),
  'sourceHydrator.readmeMessageTemplate': honoured(
    'text',
    '',
    controller,
    'the Go template of the README.md beside hydrated manifests, with `.RepoURL` and `.DrySHA`',
  ),
} as const satisfies Settings;
