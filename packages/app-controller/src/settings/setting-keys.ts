/** How the value of a setting is parsed. */
type SettingParser = 'text' | 'boolean' | 'enum' | 'duration' | 'seconds' | 'number' | 'list' | 'yaml';

interface SettingKey {
  readonly configMap: 'argocd-cm' | 'argocd-cmd-params-cm';
  readonly parser: SettingParser;
  /** `supported`, or `ignored` for a key that Argo CD has and that has no effect here. */
  readonly status: 'supported' | 'ignored';
}

/**
 * Every key of `argocd-cm` and `argocd-cmd-params-cm` that is read by the controller. `SettingsReader` accepts only these, each with the
 * method of its parser. Keys that end with a dot are prefixes: a part and a kind follow.
 */
export const settingKeys = {
  'application.resourceTrackingMethod': { configMap: 'argocd-cm', parser: 'enum', status: 'supported' },
  'application.instanceLabelKey': { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  installationID: { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  'timeout.reconciliation': { configMap: 'argocd-cm', parser: 'duration', status: 'supported' },
  'timeout.reconciliation.jitter': { configMap: 'argocd-cm', parser: 'duration', status: 'supported' },
  'timeout.hard.reconciliation': { configMap: 'argocd-cm', parser: 'duration', status: 'supported' },
  'resource.exclusions': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.inclusions': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.respectRBAC': { configMap: 'argocd-cm', parser: 'enum', status: 'supported' },
  'resource.compareoptions': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.ignoreResourceUpdatesEnabled': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'resource.customizations': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.customizations.health.': { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  'resource.customizations.useOpenLibs.': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'resource.customizations.ignoreDifferences.': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.customizations.ignoreResourceUpdates.': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.customizations.knownTypeFields.': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.customizations.actions.': { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'resource.sensitive.mask.annotations': { configMap: 'argocd-cm', parser: 'list', status: 'supported' },
  'resource.customLabels': { configMap: 'argocd-cm', parser: 'list', status: 'supported' },
  'application.sync.impersonation.enabled': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'application.sync.impersonation.enforced': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'helm.enable': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'kustomize.enable': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'kustomize.buildOptions': { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  'kustomize.path.': { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  'kustomize.version.': { configMap: 'argocd-cm', parser: 'text', status: 'supported' },
  globalProjects: { configMap: 'argocd-cm', parser: 'yaml', status: 'supported' },
  'cluster.inClusterEnabled': { configMap: 'argocd-cm', parser: 'boolean', status: 'supported' },
  'notificationscontroller.selfservice.enabled': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'application.namespaces': { configMap: 'argocd-cmd-params-cm', parser: 'list', status: 'supported' },
  'controller.diff.server.side': { configMap: 'argocd-cmd-params-cm', parser: 'boolean', status: 'supported' },
  'controller.ignore.normalizer.jq.timeout': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'duration',
    status: 'supported',
  },
  'controller.repo.server.timeout.seconds': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'seconds',
    status: 'supported',
  },
  'controller.sync.timeout.seconds': { configMap: 'argocd-cmd-params-cm', parser: 'seconds', status: 'supported' },
  'controller.sync.wave.delay.seconds': { configMap: 'argocd-cmd-params-cm', parser: 'seconds', status: 'supported' },
  'applicationsetcontroller.policy': { configMap: 'argocd-cmd-params-cm', parser: 'enum', status: 'supported' },
  'applicationsetcontroller.enable.policy.override': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'applicationsetcontroller.enable.progressive.syncs': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'applicationsetcontroller.enable.scm.providers': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'applicationsetcontroller.allowed.scm.providers': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'list',
    status: 'supported',
  },
  'applicationsetcontroller.enable.tokenref.strict.mode': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'applicationsetcontroller.enable.new.git.file.globbing': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'boolean',
    status: 'supported',
  },
  'applicationsetcontroller.global.preserved.annotations': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'list',
    status: 'supported',
  },
  'applicationsetcontroller.global.preserved.labels': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'list',
    status: 'supported',
  },
  'applicationsetcontroller.status.max.resources.count': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'number',
    status: 'supported',
  },
  'applicationsetcontroller.requeue.after': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'duration',
    status: 'supported',
  },
  'applicationsetcontroller.namespaces': { configMap: 'argocd-cmd-params-cm', parser: 'list', status: 'supported' },
  'applicationsetcontroller.concurrent.reconciliations.max': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'number',
    status: 'supported',
  },
  'applicationsetcontroller.max.deletion.percent': {
    configMap: 'argocd-cmd-params-cm',
    parser: 'number',
    status: 'supported',
  },
} as const satisfies Record<string, SettingKey>;

type Keys = keyof typeof settingKeys;
type NameOf<K extends string> = K extends `${string}.` ? `${K}${string}` : K;

/** The keys that are read with one of the parsers. */
export type SettingName<P extends SettingParser = SettingParser> = {
  [K in Keys]: (typeof settingKeys)[K]['parser'] extends P ? NameOf<K> : never;
}[Keys];

const customization = 'resource.customizations.';

/** The parts of `resource.customizations.<part>.<kind>`. */
export const customizationParts: readonly string[] = Object.keys(settingKeys).flatMap((key) =>
  key.startsWith(customization) && key.endsWith('.') ? [key.slice(customization.length, -1)] : [],
);
