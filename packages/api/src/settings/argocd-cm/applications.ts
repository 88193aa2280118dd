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
const noHydrator = 'the source hydrator is not implemented';

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
  'application.sync.impersonation.enabled': different(
    'boolean',
    'false',
    controllerAndServer,
    'syncs use the service account that the project names for the destination',
    'impersonation is not implemented: a sync of a project that names a service account fails with the reason',
  ),
  'application.sync.impersonation.enforced': honoured(
    'boolean',
    'true',
    controller,
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
  'jsonnet.enable': notSupported(
    'boolean',
    'true',
    controller,
    'Jsonnet files of a directory source are always rendered',
  ),
  'helm.valuesFileSchemes': notSupported(
    'list',
    'http, https',
    controller,
    'remote value files are read by http and https, and only from addresses that `sourceRepos` of the project permits',
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
  'commit.author.name': notSupported('text', 'Argo CD', controller, noHydrator),
  'commit.author.email': notSupported('text', 'argo-cd@example.com', controller, noHydrator),
  'sourceHydrator.commitMessageTemplate': notSupported('text', '', controller, noHydrator),
  'sourceHydrator.readmeMessageTemplate': notSupported('text', '', controller, noHydrator),
} as const satisfies Settings;
