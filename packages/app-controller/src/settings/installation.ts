import {
  type DiffSettings,
  defaultDiffSettings,
  defaultFilter,
  defaultTracking,
  type HealthScript,
  type IgnoreRule,
  type ResourceFilter,
  type TrackingSettings,
} from '@fairlead/engine';
import type { RenderContext } from '@fairlead/render';
import type { GlobalProject } from '../project/global-projects.ts';
import type { ImpersonationSettings } from '../project/impersonation.ts';

/** What `argocd-cm` says of this installation, in our terms. Never changed: another text makes another one. */
export interface Installation {
  readonly tracking: TrackingSettings;
  readonly filter: ResourceFilter;
  /** Kinds that may not be listed are let go, and not asked for again and again. */
  readonly respectRbac: boolean;
  readonly diff: DiffSettings;
  /** Changes of these fields alone are not a reason to reconcile an Application again. */
  readonly ignoreUpdates: readonly IgnoreRule[];
  /** Asked from the first to the last. */
  readonly healthScripts: readonly HealthScript[];
  /** Labels whose values a tree shows. */
  readonly shownLabels: readonly string[];
  /** Annotations whose values are hidden in Secrets. */
  readonly maskedAnnotations: readonly string[];
  readonly render: RenderSettings;
  readonly refresh: RefreshTimes;
  readonly sync: SyncTimes;
  /** Projects whose rules others have too. */
  readonly globalProjects: readonly GlobalProject[];
  readonly impersonation: ImpersonationSettings;
  /** Namespaces other than the control plane's whose Applications are reconciled, as globs or `/regular expressions/`. */
  readonly applicationNamespaces: readonly string[];
  /** Whether namespaces of Applications may have their own notifications configurations. */
  readonly selfServiceNotifications: boolean;
  /** Whether Applications may deploy to the cluster that they live in. */
  readonly inCluster: boolean;
  /** How much CPU time one render may use; undefined leaves it to the renderer. */
  readonly renderTimeMs?: number;
  /** How much CPU time one jq expression may use on one object. */
  readonly jqTimeMs: number;
  /** What could not be read, each with its key and the remedy. What it says is left out of account. */
  readonly problems: readonly string[];
  /** The first of them without which it is not known what to ignore or exclude: nothing is compared then. */
  readonly comparisonProblem?: string | undefined;
}

/** Options of every render. */
export type RenderSettings = Pick<RenderContext, 'kustomizeBuildOptions' | 'kustomizeVersions' | 'disabledTypes'>;

export interface RefreshTimes {
  /** How old a comparison may become before the source is checked again; undefined leaves it to the controller. */
  readonly softMs?: number;
  readonly jitterMs?: number;
  /** How old before even cached manifests are made again; never when undefined. */
  readonly hardMs?: number;
}

export interface SyncTimes {
  /** After how long a sync is terminated, 0 for never; undefined leaves it to the controller. */
  readonly timeoutMs?: number;
  /** How long custom controllers are given after a wave. */
  readonly waveDelayMs?: number;
}

export const defaultInstallation: Installation = {
  tracking: defaultTracking,
  filter: defaultFilter,
  respectRbac: false,
  diff: defaultDiffSettings,
  ignoreUpdates: [],
  healthScripts: [],
  shownLabels: [],
  maskedAnnotations: [],
  render: { kustomizeBuildOptions: '', kustomizeVersions: [], disabledTypes: [] },
  refresh: {},
  sync: {},
  globalProjects: [],
  impersonation: { enabled: false, enforced: true },
  applicationNamespaces: [],
  selfServiceNotifications: false,
  inCluster: true,
  jqTimeMs: 1_000,
  problems: [],
  comparisonProblem: undefined,
};

/** Equal for installations under which the same is kept of a cluster. */
export const liveKeyOf = (installation: Installation): string => {
  const { tracking, filter, respectRbac, healthScripts, shownLabels } = installation;
  return JSON.stringify([tracking, filter, respectRbac, healthScripts.map(({ kinds }) => kinds), shownLabels]);
};
