import { isJsonObject } from '@fairlead/apimachinery';
import {
  defaultDiffSettings,
  defaultFilter,
  defaultTracking,
  type FilteredResource,
  knownType,
  type ResourceFilter,
  type StatusComparison,
  trackingMethods,
} from '@fairlead/engine';
import { globProblem } from '../glob.ts';
import { namespacePatternProblem } from '../project/application-namespaces.ts';
import { readApplicationSetSettings } from './applicationset-settings.ts';
import { readCustomizations } from './customizations.ts';
import { readGlobalProjects } from './global-project-settings.ts';
import { readHydratorSettings } from './hydrator-settings.ts';
import { defaultInstallation, type Installation } from './installation.ts';
import { SettingsReader } from './settings-reader.ts';

type Data = Readonly<Record<string, string>>;

export const settingsName = 'argocd-cm';
export const parametersName = 'argocd-cmd-params-cm';

/** The settings in the data of `argocd-cm` and `argocd-cmd-params-cm`. An invalid key is a problem; the other keys still apply. */
export function readInstallation(data: Data = {}, parameters: Data = {}): Installation {
  const settings = new SettingsReader(settingsName, data);
  const command = new SettingsReader(parametersName, parameters);
  const customizations = readCustomizations(settings);
  const tracking = {
    method: settings.oneOf('application.resourceTrackingMethod', trackingMethods) ?? defaultTracking.method,
    labelKey: settings.text('application.instanceLabelKey').trim() || defaultTracking.labelKey,
    installationId: settings.text('installationID').trim(),
  };
  for (const [kind, fields] of customizations.knownTypeFields) {
    for (const { field, type } of fields) {
      if (!knownType(type)) settings.problem(`knownTypeFields of ${kind}`, `the type '${type}' of ${field} is unknown`);
    }
  }
  const compareOptions = settings.map('resource.compareoptions') ?? {};
  // By default, a change of only ignored fields does not refresh an Application either.
  const alsoDifferences = compareOptions['ignoreDifferencesOnResourceUpdates'] !== false;
  const updatesIgnored = settings.flag('resource.ignoreResourceUpdatesEnabled') ?? true;
  const jqTimeMs = command.durationMs('controller.ignore.normalizer.jq.timeout') ?? defaultInstallation.jqTimeMs;
  const renderTimeMs = command.secondsMs('controller.repo.server.timeout.seconds');
  return {
    tracking,
    filter: readFilter(settings),
    respectRbac: settings.oneOf('resource.respectRBAC', ['normal', 'strict']) !== undefined,
    diff: {
      ignore: customizations.ignoreDifferences,
      ignoreStatus: readStatus(settings, compareOptions['ignoreResourceStatusField']),
      knownTypeFields: new Map([...defaultDiffSettings.knownTypeFields, ...customizations.knownTypeFields]),
      tracking,
      serverSide: command.flag('controller.diff.server.side') ?? false,
    },
    ignoreUpdates: updatesIgnored
      ? [...customizations.ignoreUpdates, ...(alsoDifferences ? customizations.ignoreDifferences : [])]
      : [],
    healthScripts: customizations.healthScripts,
    actions: customizations.actions,
    shownLabels: settings.list('resource.customLabels'),
    maskedAnnotations: settings.list('resource.sensitive.mask.annotations'),
    render: readRender(settings),
    refresh: readTimes(settings),
    sync: readSyncTimes(command),
    globalProjects: readGlobalProjects(settings),
    impersonation: {
      enabled: settings.flag('application.sync.impersonation.enabled') ?? false,
      enforced: settings.flag('application.sync.impersonation.enforced') ?? true,
    },
    hydrator: readHydratorSettings(settings, command),
    applicationNamespaces: readNamespaces(command),
    applicationSets: readApplicationSetSettings(command),
    selfServiceNotifications: command.flag('notificationscontroller.selfservice.enabled') ?? false,
    inCluster: settings.flag('cluster.inClusterEnabled') ?? true,
    ...(renderTimeMs ? { renderTimeMs } : {}),
    jqTimeMs,
    problems: [...settings.problems, ...command.problems],
    comparisonProblem: settings.unreadable.find(([key]) => decidesComparison(key))?.[1],
  };
}

/** As in Argo CD: an invalid list of exceptions is not an empty one, and self-heal must not act on it. */
const decidesComparison = (key: string): boolean =>
  /^resource\.(?:exclusions|inclusions|customizations(?:\..+)?)$/u.test(key);

/** Everything is built by one version of Kustomize, so only the names of the registered versions matter. */
function readRender(settings: SettingsReader): Installation['render'] {
  const versions = (['kustomize.path.', 'kustomize.version.'] as const).flatMap((prefix) =>
    settings.keys(prefix).map((key) => key.slice(prefix.length)),
  );
  const enabled = {
    Helm: settings.flag('helm.enable') ?? true,
    Kustomize: settings.flag('kustomize.enable') ?? true,
    Jsonnet: settings.flag('jsonnet.enable') ?? true,
  };
  return {
    kustomizeBuildOptions: settings.text('kustomize.buildOptions').trim(),
    kustomizeVersions: versions,
    disabledTypes: (['Helm', 'Kustomize', 'Jsonnet'] as const).filter((type) => !enabled[type]),
    ...(settings.has('helm.valuesFileSchemes') ? { valuesFileSchemes: settings.list('helm.valuesFileSchemes') } : {}),
  };
}

function readTimes(settings: SettingsReader): Installation['refresh'] {
  const softMs = settings.durationMs('timeout.reconciliation');
  const jitterMs = settings.durationMs('timeout.reconciliation.jitter');
  const hardMs = settings.durationMs('timeout.hard.reconciliation');
  return {
    ...(softMs === undefined ? {} : { softMs }),
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(hardMs ? { hardMs } : {}),
  };
}

/** Whether a glob is valid; an invalid one is reported. */
function isValidGlob(settings: SettingsReader, key: string, pattern: string): boolean {
  const problem = globProblem(pattern);
  if (problem !== undefined) settings.problem(key, `${problem}: the pattern is ignored`);
  return problem === undefined;
}

/** Invalid patterns are reported and ignored. */
function readNamespaces(command: SettingsReader): string[] {
  const key = 'application.namespaces';
  return command.list(key).filter((pattern) => {
    const problem = namespacePatternProblem(pattern);
    if (problem !== undefined) command.problem(key, `${pattern}: ${problem}: the pattern is ignored`);
    return problem === undefined;
  });
}

function readSyncTimes(command: SettingsReader): Installation['sync'] {
  const timeoutMs = command.secondsMs('controller.sync.timeout.seconds');
  const waveDelayMs = command.secondsMs('controller.sync.wave.delay.seconds');
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(waveDelayMs === undefined ? {} : { waveDelayMs }),
  };
}

function readStatus(settings: SettingsReader, value: unknown): StatusComparison {
  // YAML reads a bare `off` as false.
  if (value === 'off' || value === false || value === 'none') return 'none';
  if (value === 'crd' || value === 'all') return value;
  if (value !== undefined)
    settings.problem('resource.compareoptions', `ignoreResourceStatusField '${value}' must be one of all, crd, none`);
  return 'all';
}

function readFilter(settings: SettingsReader): ResourceFilter {
  const read = (key: 'resource.exclusions' | 'resource.inclusions'): FilteredResource[] | undefined => {
    const value = settings.yaml(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      settings.cannotRead(key, 'must be a list of entries with apiGroups, kinds and clusters');
      return undefined;
    }
    return value.flatMap((entry) => filtered(settings, key, entry));
  };
  return {
    exclusions: read('resource.exclusions') ?? defaultFilter.exclusions,
    inclusions: read('resource.inclusions') ?? [],
  };
}

function filtered(settings: SettingsReader, key: string, entry: unknown): FilteredResource[] {
  if (!isJsonObject(entry)) {
    settings.problem(key, `${JSON.stringify(entry)} must be a map with apiGroups, kinds or clusters`);
    return [];
  }
  const texts = (name: string): readonly string[] => {
    const list: unknown = entry[name] ?? [];
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      settings.problem(key, `${name} must be a list of strings`);
      return [];
    }
    return name === 'kinds' ? list : list.filter((pattern: string) => isValidGlob(settings, key, pattern));
  };
  return [{ apiGroups: texts('apiGroups'), kinds: texts('kinds'), clusters: texts('clusters') }];
}
