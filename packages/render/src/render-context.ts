import type { ApplicationSource } from '@fairlead/api';
import type { Limits } from './go-template/limits.ts';
import type { FetchRemote } from './remotes.ts';
import type { Tree } from './tree.ts';

/** What a render may depend on besides its source and its tree. All of it may be left out. */
export interface RenderContext {
  /** The Application's name: a chart's release is called so unless the source says otherwise. */
  readonly name?: string;
  /** Where the Application is delivered to. */
  readonly namespace?: string;
  readonly project?: string;
  /** The commit or version that the tree is of. */
  readonly revision?: string;
  /** What the destination is and has; Helm's own defaults without. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Trees of the Application's other sources, which `$name/…` stands for in value files. */
  readonly refs?: ReadonlyMap<string, Tree>;
  /** Brings what sources name by address: bases and files of kustomizations, charts that others depend on. Refused without. */
  readonly fetchRemote?: FetchRemote;
  /** Flags of `kustomize build` that hold for all, as the setting `kustomize.buildOptions` has them. */
  readonly kustomizeBuildOptions?: string;
  /** The Helm to render like where the source names none. */
  readonly helmVersion?: string;
  /** What one render may use. */
  readonly limits?: Limits;
}

/**
 * The variables that options may refer to as `$ARGOCD_APP_NAME`. Which were used, and what they stood for, is kept: the manifests depend
 * on those and on no others, so that a new revision is no news to a source that never mentions it.
 */
export class Variables {
  readonly used = new Map<string, string>();
  private readonly values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.values = values;
  }

  /** `$NAME` and `${NAME}` by their values, `$$` by `$`; names that are not known by nothing. */
  expand(text: string): string {
    return text.replace(/\$(?:\{([^}]*)\}|([A-Za-z_]\w*|[*#$@!?\-0-9]))/gu, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      if (name === '$') return '$';
      const value = (Object.hasOwn(this.values, name) ? this.values[name] : undefined) ?? '';
      this.used.set(name, value);
      return value;
    });
  }
}

export function variablesOf(source: ApplicationSource, context: RenderContext): Readonly<Record<string, string>> {
  const { name = '', namespace = '', project = '', revision = '' } = context;
  return {
    ARGOCD_APP_NAME: name,
    ARGOCD_APP_NAMESPACE: namespace,
    ARGOCD_APP_PROJECT_NAME: project,
    ARGOCD_APP_REVISION: revision,
    ARGOCD_APP_REVISION_SHORT: revision.slice(0, 7),
    ARGOCD_APP_REVISION_SHORT_8: revision.slice(0, 8),
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_PATH: source.path ?? '',
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision ?? '',
  };
}
