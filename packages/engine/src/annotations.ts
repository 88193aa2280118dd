interface AnnotationSpec {
  readonly name: string;
  /** The objects that can have it. */
  readonly on: 'Application' | 'resource' | 'both';
  /** The values it may have, or the form of the value. */
  readonly values: readonly string[] | string;
  readonly description: string;
}

export const hookTypes = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreDelete', 'PostDelete', 'Skip'] as const;
export const hookDeletePolicies = ['BeforeHookCreation', 'HookSucceeded', 'HookFailed'] as const;
export const compareOptionNames = ['IgnoreExtraneous', 'ServerSideDiff', 'IncludeMutationWebhook'] as const;

/** Every annotation that is read or written, except those of kubectl. Validation and the table in `docs/syncing.md` are made from it. */
export const knownAnnotations = {
  trackingId: {
    name: 'argocd.argoproj.io/tracking-id',
    on: 'resource',
    values: '`<application>:<group>/<kind>:<namespace>/<name>`',
    description:
      'the Application that the object belongs to, and the object that was tracked: a copy names the original',
  },
  installationId: {
    name: 'argocd.argoproj.io/installation-id',
    on: 'resource',
    values: '`installationID` of `argocd-cm`',
    description: 'whose Applications these are, if several installations work on one cluster',
  },
  hook: {
    name: 'argocd.argoproj.io/hook',
    on: 'resource',
    values: hookTypes,
    description: 'when the object runs as a hook; `Skip` excludes it from syncs',
  },
  hookDeletePolicy: {
    name: 'argocd.argoproj.io/hook-delete-policy',
    on: 'resource',
    values: hookDeletePolicies,
    description: 'when the hook is deleted',
  },
  syncWave: {
    name: 'argocd.argoproj.io/sync-wave',
    on: 'resource',
    values: 'an integer',
    description: 'the sync wave, 0 by default',
  },
  syncOptions: {
    name: 'argocd.argoproj.io/sync-options',
    on: 'resource',
    values: 'sync options, separated by commas',
    description: 'sync options of the object',
  },
  compareOptions: {
    name: 'argocd.argoproj.io/compare-options',
    on: 'both',
    values: compareOptionNames,
    description: 'how objects are compared',
  },
  ignoreHealthcheck: {
    name: 'argocd.argoproj.io/ignore-healthcheck',
    on: 'resource',
    values: ['true'],
    description: 'the health of the object does not affect the Application',
  },
  ignoreRestartPolicy: {
    name: 'argocd.argoproj.io/ignore-restart-policy',
    on: 'resource',
    values: ['true'],
    description: 'on a Pod that is not a hook: its health is assessed as if it had to keep running',
  },
  ignoreDifferences: {
    name: 'fairlead.dev/ignore-differences',
    on: 'resource',
    values: 'JSON pointers and jq paths, one per line',
    description: 'fields of the object that may differ; not in Argo CD',
  },
  pause: {
    name: 'fairlead.dev/pause',
    on: 'resource',
    values: ['true'],
    description: 'the object is neither compared, applied nor pruned, in the source or live; not in Argo CD',
  },
  dependsOn: {
    name: 'fairlead.dev/depends-on',
    on: 'Application',
    values: '`name` or `namespace/name`, separated by commas',
    description: 'syncs wait until these Applications of the same project are Synced and Healthy; not in Argo CD',
  },
  link: {
    name: 'link.argocd.argoproj.io/',
    on: 'both',
    values: '`URL` or `title|URL`; the name ends with any key',
    description: 'a link shown with the object',
  },
  ignoreDefaultLinks: {
    name: 'argocd.argoproj.io/ignore-default-links',
    on: 'resource',
    values: ['true'],
    description: 'on an Ingress: its hosts are not shown as links',
  },
  refresh: {
    name: 'argocd.argoproj.io/refresh',
    on: 'Application',
    values: ['normal', 'hard'],
    description: 'requests a refresh; removed when its result is written',
  },
  skipReconcile: {
    name: 'argocd.argoproj.io/skip-reconcile',
    on: 'Application',
    values: ['true'],
    description: 'the Application is not reconciled',
  },
  deletionApproved: {
    name: 'argocd.argoproj.io/deletion-approved',
    on: 'Application',
    values: 'an RFC 3339 time',
    description: 'approves `Prune=confirm` and `Delete=confirm` of an operation that started before that time',
  },
  migrationManager: {
    name: 'argocd.argoproj.io/client-side-apply-migration-manager',
    on: 'Application',
    values: 'a field manager',
    description: 'the manager whose fields `ServerSideApply` migrates, in addition to our own',
  },
  manifestGeneratePaths: {
    name: 'argocd.argoproj.io/manifest-generate-paths',
    on: 'Application',
    values: 'paths, separated by semicolons',
    description: 'a push that changes none of these paths does not refresh the Application',
  },
  hookRun: {
    name: 'fairlead.dev/hook-run',
    on: 'resource',
    values: '`<operation>/<phase>`',
    description: 'the attempt of the operation that created the hook; set by the controller',
  },
} as const satisfies Record<string, AnnotationSpec>;

/** Annotations of Helm that have the same meaning as in Helm. */
export const helmAnnotations = {
  hook: 'helm.sh/hook',
  hookDeletePolicy: 'helm.sh/hook-delete-policy',
  hookWeight: 'helm.sh/hook-weight',
  resourcePolicy: 'helm.sh/resource-policy',
} as const;
