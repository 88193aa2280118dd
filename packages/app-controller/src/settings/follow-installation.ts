import { type ConfigMap, configMapType } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';
import type { Settings } from '../reconcile-env.ts';
import type { Events } from '../status/events.ts';
import type { Installation } from './installation.ts';
import { parametersName, readInstallation, settingsName } from './read-installation.ts';

export interface FollowedInstallation {
  readonly current: Installation;
  /** Called when `current` changes. */
  onChange(listener: () => void): () => void;
}

/** Watches `argocd-cm` and `argocd-cmd-params-cm` until the signal aborts; resolves once they are known. Neither must exist. */
export async function followInstallation(
  client: ApiClient,
  namespace: string,
  shared: { readonly clock: Clock; readonly random: Random; readonly log: Logger },
  signal: AbortSignal,
): Promise<FollowedInstallation> {
  const listeners = new Set<() => void>();
  const informers = [settingsName, parametersName].map(
    (name) =>
      new Informer<ConfigMap>(client, configMapType, { namespace, fieldSelector: `metadata.name=${name}` }, shared),
  );
  const dataOf = (name: string): Readonly<Record<string, string>> | undefined =>
    informers.map((informer) => informer.get(`${namespace}/${name}`)).find((found) => found !== undefined)?.data;
  let texts = '';
  let current = readInstallation();
  const read = (): void => {
    const data = [dataOf(settingsName), dataOf(parametersName)] as const;
    const now = JSON.stringify(data);
    if (now === texts) return;
    texts = now;
    current = readInstallation(...data);
    for (const problem of current.problems) shared.log.warn('a setting is invalid', { problem });
    for (const listener of listeners) listener();
  };
  for (const informer of informers) {
    informer.addHandler({ onAdd: read, onUpdate: read, onDelete: read });
    void informer.run(signal);
  }
  await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
  return {
    get current() {
      return current;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The settings of the controller, with the current render options and intervals of the installation. */
export function withInstallation(settings: Settings, installation: FollowedInstallation): Settings {
  return {
    ...settings,
    get render() {
      return installation.current.render;
    },
    get refreshMs() {
      return installation.current.refresh.softMs ?? settings.refreshMs;
    },
    get refreshJitterMs() {
      return installation.current.refresh.jitterMs ?? settings.refreshJitterMs;
    },
    get hardRefreshMs() {
      return installation.current.refresh.hardMs ?? settings.hardRefreshMs;
    },
    get syncTimeoutMs() {
      return installation.current.sync.timeoutMs ?? settings.syncTimeoutMs;
    },
    get waveDelayMs() {
      return installation.current.sync.waveDelayMs ?? settings.waveDelayMs;
    },
    get applicationNamespaces() {
      return installation.current.applicationNamespaces;
    },
    get impersonation() {
      return installation.current.impersonation;
    },
    get hydrator() {
      return installation.current.hydrator;
    },
    get comparisonProblem() {
      return installation.current.comparisonProblem;
    },
    get globalProjects() {
      return installation.current.globalProjects;
    },
  };
}

/** Records an event on the ConfigMap for each invalid setting, now and after each change. */
export function reportSettingProblems(
  installation: FollowedInstallation,
  events: Events,
  namespace: string,
): () => void {
  const report = (): void => {
    for (const problem of installation.current.problems) {
      const name = problem.startsWith(`ConfigMap ${parametersName}:`) ? parametersName : settingsName;
      const regarding = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
      events.record({ regarding, type: 'Warning', reason: 'InvalidSetting', action: 'Configure', note: problem });
    }
  };
  report();
  return installation.onChange(report);
}
