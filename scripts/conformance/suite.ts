/** What a suite reports for each case. */
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
  readonly kubeconfig?: string;
  /** The kubectl to use; the newest on the machine unless given. */
  readonly kubectl?: string;
}

export type Suite = (options: SuiteOptions) => AsyncIterable<CaseResult>;

/** Suite to the file that exports it as `suite`. A suite is named after its folder in the corpus. Slowest first. */
export const suites: ReadonlyMap<string, string> = new Map([
  ['kubernetes-objects', 'packages/control-plane/conformance/kubernetes-objects.ts'],
  ['kubernetes-api', 'packages/control-plane/conformance/kubernetes-api.ts'],
  ['helm', 'packages/render/conformance/helm.ts'],
  ['kustomize', 'packages/render/conformance/kustomize.ts'],
  ['go-template', 'packages/render/conformance/go-template.ts'],
  ['crds', 'packages/api/conformance/crds.ts'],
  ['health', 'packages/engine/conformance/health.ts'],
  ['kubernetes', 'packages/apimachinery/conformance/kubernetes.ts'],
  ['image-updater', 'packages/images/conformance/image-updater.ts'],
]);
