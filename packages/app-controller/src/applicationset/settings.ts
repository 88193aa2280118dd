import type { ApplicationsSyncPolicy } from '@fairlead/api';

/** How the ApplicationSet controller works. */
export interface ApplicationSetSettings {
  /** The namespace of the control plane. */
  readonly namespace: string;
  /** Other namespaces whose ApplicationSets are reconciled, as globs or `/regular expressions/`. */
  readonly applicationSetNamespaces: readonly string[];
  /** What may be done with Applications unless the ApplicationSet says otherwise. */
  readonly policy: ApplicationsSyncPolicy;
  /** Whether an ApplicationSet may say otherwise. */
  readonly policyOverride: boolean;
  readonly progressiveSyncs: boolean;
  /** Whether the generators scmProvider and pullRequest may be used. */
  readonly scmProviders: boolean;
  /** The addresses of forges that ApplicationSets may give; all when empty. */
  readonly allowedScmProviders: readonly string[];
  /** Secrets of tokens need the label of credentials for forges. */
  readonly tokenRefStrict: boolean;
  readonly newGitFileGlobbing: boolean;
  /** Annotations and labels of all Applications that are left as they are. */
  readonly preservedAnnotations: readonly string[];
  readonly preservedLabels: readonly string[];
  /** How many Applications the status lists; all when 0. */
  readonly maxResourcesInStatus: number;
  /** How often generators run again that do not say how often. */
  readonly requeueMs: number;
  /** Reconciles at the same time. */
  readonly concurrency: number;
  /** The share of its Applications, in percent, that a change of an ApplicationSet may delete; 100 for all. */
  readonly maxDeletionPercent: number;
  /** Whether Applications may deploy to the cluster that they live in. */
  readonly inCluster: boolean;
  /** Of the process, for clouds. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const defaultApplicationSetSettings: ApplicationSetSettings = {
  namespace: 'argocd',
  applicationSetNamespaces: [],
  policy: 'sync',
  policyOverride: true,
  progressiveSyncs: false,
  scmProviders: true,
  allowedScmProviders: [],
  tokenRefStrict: false,
  newGitFileGlobbing: false,
  preservedAnnotations: [],
  preservedLabels: [],
  maxResourcesInStatus: 5_000,
  requeueMs: 180_000,
  concurrency: 10,
  maxDeletionPercent: 50,
  inCluster: true,
  environment: {},
};
