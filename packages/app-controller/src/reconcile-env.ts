import type { Application, AppProject } from '@fairlead/api';
import type { SyncTask } from '@fairlead/engine';
import type { ApiClient, Clock, Informer, Logger, Random } from '@fairlead/kube';
import type { ManifestCache } from '@fairlead/render';
import type { Sources } from '@fairlead/source';
import type { Clusters } from './cluster/clusters.ts';
import { type GlobalProject, withGlobals } from './project/global-projects.ts';
import type { ImpersonationSettings } from './project/impersonation.ts';
import type { ApplicationView } from './refresh/application-view.ts';
import type { RecentFetches } from './refresh/recent-fetches.ts';
import type { HydratorSettings } from './settings/hydrator-settings.ts';
import type { RenderSettings } from './settings/installation.ts';
import type { FailedRenders } from './source/failed-renders.ts';
import type { RepositoryAccess } from './source/repository-access.ts';
import type { Signatures } from './source/signatures.ts';
import type { AppMetrics } from './status/app-metrics.ts';
import type { Events } from './status/events.ts';
import type { WaitFor } from './wait-if-slow.ts';

/** The dependencies of reconciling an Application. */
export interface ReconcileEnv {
  /** The API in which Applications live. */
  readonly client: ApiClient;
  readonly applications: ApplicationView;
  readonly projects: Informer<AppProject>;
  readonly clusters: Clusters;
  readonly sources: SourceReader;
  readonly access: Pick<RepositoryAccess, 'credentialsFor' | 'repositoryNamed'>;
  readonly manifests: ManifestCache;
  readonly failures: FailedRenders;
  readonly signatures: Signatures;
  readonly recentFetches: RecentFetches;
  readonly events: Events;
  readonly metrics?: AppMetrics;
  readonly gate?: SyncGate;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly settings: Settings;
  /** Waits for sources without holding a worker. */
  readonly waitForSources?: WaitFor;
}

/** Delays a sync before its first step: returns what it waits for, while it waits. */
export type SyncGate = (sync: {
  readonly application: Application;
  /** The destination cluster. */
  readonly client: ApiClient;
  readonly tasks: readonly SyncTask[];
  readonly signal: AbortSignal;
}) => Promise<string | undefined>;

/** Git repositories, chart repositories and registries, as used by Applications. */
export type SourceReader = Pick<Sources, 'resolve' | 'tree' | 'file' | 'keyOf' | 'onChange'> &
  Partial<Pick<Sources, 'signable'>>;

export interface Settings {
  /**
   * The namespace of Applications and projects; Applications elsewhere need an entry in `applicationNamespaces` and the permission of their
   * project.
   */
  readonly namespace: string;
  /** Other namespaces whose Applications are reconciled, as globs or `/regular expressions/`. */
  readonly applicationNamespaces?: readonly string[];
  /** The maximum age of a comparison before the source is checked again, and the random delay added to it. */
  readonly refreshMs: number;
  readonly refreshJitterMs: number;
  /** The interval after which everything is rendered again even without changes; never if 0. */
  readonly hardRefreshMs: number;
  /** Beyond this number, the resources of an Application are listed in a separate object. */
  readonly inlineResources: number;
  /** How often the controller polls while it waits without events. */
  readonly pollMs: number;
  /** How long other controllers get to observe the objects of a wave before its health counts. */
  readonly waveDelayMs: number;
  /** A sync is terminated after this duration; 0 for never. */
  readonly syncTimeoutMs: number;
  /** Options of every render. Without them, all sources are permitted. */
  readonly render?: RenderSettings;
  /** Global projects, whose rules other projects inherit. */
  readonly globalProjects?: readonly GlobalProject[];
  readonly impersonation?: ImpersonationSettings;
  readonly hydrator?: HydratorSettings;
  /** Why nothing can be compared: the ignored or excluded resources are not known. */
  readonly comparisonProblem?: string | undefined;
}

export const defaultSettings: Settings = {
  namespace: 'argocd',
  refreshMs: 120_000,
  refreshJitterMs: 60_000,
  hardRefreshMs: 0,
  inlineResources: 1_000,
  pollMs: 2_000,
  waveDelayMs: 2_000,
  syncTimeoutMs: 12 * 3_600_000,
};

/** A project by its name, with the rules of its global projects. */
export const projectOf =
  ({ projects, settings }: Pick<ReconcileEnv, 'projects' | 'settings'>) =>
  (name: string): AppProject | undefined => {
    const find = (one: string): AppProject | undefined => projects.get(`${settings.namespace}/${one}`);
    const project = find(name);
    return project && withGlobals(project, settings.globalProjects ?? [], find);
  };

export const keyOfApplication = ({
  metadata: { namespace = '', name },
}: Application): { namespace: string; name: string } => ({ namespace, name });
