import {
  type CustomActions,
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
import type { ApplicationSetInstallation } from './applicationset-settings.ts';
import { defaultHydratorSettings, type HydratorSettings } from './hydrator-settings.ts';

/** The settings of `argocd-cm`, parsed. Immutable: changed data gives a new object. */
export interface Installation {
  readonly tracking: TrackingSettings;
  readonly filter: ResourceFilter;
  /** Kinds that may not be listed are dropped, and not retried. */
  readonly respectRbac: boolean;
  readonly diff: DiffSettings;
  /** Changes of these fields alone are not a reason to reconcile an Application again. */
  readonly ignoreUpdates: readonly IgnoreRule[];
  /** Evaluated in order. */
  readonly healthScripts: readonly HealthScript[];
  /** Resource actions in Lua, by `group/Kind`, or `Kind` in the core group. */
  readonly actions: ReadonlyMap<string, CustomActions>;
  /** Labels whose values the resource tree shows. */
  readonly shownLabels: readonly string[];
  /** Annotations whose values are masked in Secrets. */
  readonly maskedAnnotations: readonly string[];
  readonly render: RenderSettings;
  readonly refresh: RefreshTimes;
  readonly sync: SyncTimes;
  /** Global projects, whose rules other projects inherit. */
  readonly globalProjects: readonly GlobalProject[];
  readonly impersonation: ImpersonationSettings;
  readonly hydrator: HydratorSettings;
  /** Namespaces other than the control plane's whose Applications are reconciled, as globs or `/regular expressions/`. */
  readonly applicationNamespaces: readonly string[];
  readonly applicationSets: ApplicationSetInstallation;
  /** Whether namespaces of Applications may have their own notifications configurations. */
  readonly selfServiceNotifications: boolean;
  /** Whether Applications may deploy to the cluster that they live in. */
  readonly inCluster: boolean;
  /** How much CPU time one render may use; undefined leaves it to the renderer. */
  readonly renderTimeMs?: number;
  /** How much CPU time one jq expression may use on one object. */
  readonly jqTimeMs: number;
  /** Invalid settings, each with its key and the remedy. Their values are ignored. */
  readonly problems: readonly string[];
  /** The first problem that leaves ignored or excluded resources unknown: nothing is compared then. */
  readonly comparisonProblem?: string | undefined;
}

/** Options of every render. */
export type RenderSettings = Pick<
  RenderContext,
  'kustomizeBuildOptions' | 'kustomizeVersions' | 'disabledTypes' | 'valuesFileSchemes'
>;

export interface RefreshTimes {
  /** The maximum age of a comparison before the source is checked again; undefined uses the default of the controller. */
  readonly softMs?: number;
  readonly jitterMs?: number;
  /** The maximum age of cached manifests; unlimited if undefined. */
  readonly hardMs?: number;
}

export interface SyncTimes {
  /** The timeout of a sync, 0 for none; undefined uses the default of the controller. */
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
  actions: new Map(),
  shownLabels: [],
  maskedAnnotations: [],
  render: { kustomizeBuildOptions: '', kustomizeVersions: [], disabledTypes: [] },
  refresh: {},
  sync: {},
  globalProjects: [],
  impersonation: { enabled: false, enforced: true },
  hydrator: defaultHydratorSettings,
  applicationNamespaces: [],
  applicationSets: {},
  selfServiceNotifications: false,
  inCluster: true,
  jqTimeMs: 1_000,
  problems: [],
  comparisonProblem: undefined,
};

/** Equal for installations that cache the same of a cluster. */
export const liveKeyOf = (installation: Installation): string => {
  const { tracking, filter, respectRbac, healthScripts, shownLabels } = installation;
  return JSON.stringify([tracking, filter, respectRbac, healthScripts.map(({ kinds }) => kinds), shownLabels]);
};
