/** The result of each case of a suite. */
export interface CaseResult {
  readonly name: string;
  readonly group: string;
  readonly passed: boolean;
  /** A stricter level than passing, where a suite has one. */
  readonly exact?: boolean;
  /** Why this machine cannot decide the case; it then counts neither as passed nor as failed. */
  readonly skipped?: string;
  /** Why it failed, in a line or a few. */
  readonly detail?: string;
}

export interface SuiteOptions {
  readonly dir: string;
  /** Only cases whose `group/name` contains this. */
  readonly only?: string;
  /** Every n-th case alone, for suites that take long. */
  readonly every?: number;
  readonly kubeconfig?: string;
  /** The kubectl to use; the newest on the machine unless given. */
  readonly kubectl?: string;
  /** The argocd to use; cases that need one are skipped without it. */
  readonly argocd?: string;
}

export type Suite = (options: SuiteOptions) => AsyncIterable<CaseResult>;

/** Suites that do not pass yet, with the reason: a full `npm test` names them and does not run them. */
export const unfinishedSuites: ReadonlyMap<string, string> = new Map();

/** Of a suite that takes long, `npm test` runs one of so many cases. */
export interface Slice {
  readonly every: number;
  /** The folders whose data it reads, if it has no folder in the corpus. */
  readonly folders?: readonly string[];
}

export const slices: ReadonlyMap<string, Slice> = new Map<string, Slice>([
  ['stable-sync', { every: 53, folders: ['helm', 'kustomize'] }],
  ['argocd-charts', { every: 8 }],
  ['argocd-sync', { every: 9 }],
  ['argocd-api', { every: 31 }],
  ['applicationset', { every: 7 }],
  ['notifications', { every: 5 }],
]);

/** Suite to the file that exports it as `suite`. A suite is named after its folder in the corpus, unless its slice names others. Slowest first. */
export const suites: ReadonlyMap<string, string> = new Map([
  ['stable-sync', 'packages/app-controller/conformance/stable-sync.ts'],
  ['argocd-charts', 'packages/app-controller/conformance/argocd-charts.ts'],
  ['argocd-sync', 'packages/app-controller/conformance/argocd-sync.ts'],
  ['applicationset', 'packages/app-controller/conformance/applicationset.ts'],
  ['notifications', 'packages/app-controller/conformance/notifications.ts'],
  ['kubernetes-objects', 'packages/control-plane/conformance/kubernetes-objects.ts'],
  ['kubernetes-api', 'packages/control-plane/conformance/kubernetes-api.ts'],
  ['helm', 'packages/render/conformance/helm.ts'],
  ['kustomize', 'packages/render/conformance/kustomize.ts'],
  ['go-template', 'packages/render/conformance/go-template.ts'],
  ['crds', 'packages/api/conformance/crds.ts'],
  ['health', 'packages/engine/conformance/health.ts'],
  ['kubernetes', 'packages/apimachinery/conformance/kubernetes.ts'],
  ['rbac', 'packages/server/conformance/rbac.ts'],
  ['argocd-api', 'packages/server/conformance/argocd-api.ts'],
  ['image-updater', 'packages/images/conformance/image-updater.ts'],
]);
