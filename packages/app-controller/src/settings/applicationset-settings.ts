import { applicationsSyncPolicies } from '@fairlead/api';
import type { ApplicationSetSettings } from '../applicationset/settings.ts';
import { namespacePatternProblem } from '../project/application-namespaces.ts';
import type { SettingsReader } from './settings-reader.ts';

/** What `argocd-cmd-params-cm` says of ApplicationSets; absent where it says nothing. */
export type ApplicationSetInstallation = Partial<
  Omit<ApplicationSetSettings, 'namespace' | 'inCluster' | 'environment'>
>;

export function readApplicationSetSettings(command: SettingsReader): ApplicationSetInstallation {
  const policy = command.oneOf('applicationsetcontroller.policy', applicationsSyncPolicies);
  return present({
    policy,
    // A policy that an administrator chose is not for others to change, unless that is allowed, too.
    policyOverride: command.flag('applicationsetcontroller.enable.policy.override') ?? (policy ? false : undefined),
    progressiveSyncs: command.flag('applicationsetcontroller.enable.progressive.syncs'),
    scmProviders: command.flag('applicationsetcontroller.enable.scm.providers'),
    allowedScmProviders: some(command.list('applicationsetcontroller.allowed.scm.providers')),
    tokenRefStrict: command.flag('applicationsetcontroller.enable.tokenref.strict.mode'),
    newGitFileGlobbing: command.flag('applicationsetcontroller.enable.new.git.file.globbing'),
    preservedAnnotations: some(command.list('applicationsetcontroller.global.preserved.annotations')),
    preservedLabels: some(command.list('applicationsetcontroller.global.preserved.labels')),
    maxResourcesInStatus: command.number('applicationsetcontroller.status.max.resources.count'),
    requeueMs: command.durationMs('applicationsetcontroller.requeue.after'),
    concurrency: command.number('applicationsetcontroller.concurrent.reconciliations.max') || undefined,
    maxDeletionPercent: command.number('applicationsetcontroller.max.deletion.percent'),
    applicationSetNamespaces: some(readNamespaces(command)),
  });
}

/** A list that names nothing says nothing. */
const some = (list: readonly string[]): readonly string[] | undefined => (list.length > 0 ? list : undefined);

/** Invalid patterns are reported and ignored. */
function readNamespaces(command: SettingsReader): string[] {
  const key = 'applicationsetcontroller.namespaces';
  return command.list(key).filter((pattern) => {
    const problem = namespacePatternProblem(pattern);
    if (problem !== undefined) command.problem(key, `${pattern}: ${problem}: the pattern is ignored`);
    return problem === undefined;
  });
}

function present<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in value) {
    const field = value[key];
    if (isPresent(field)) result[key] = field;
  }
  return result;
}

const isPresent = <T>(value: T): value is Exclude<T, undefined> => value !== undefined;
