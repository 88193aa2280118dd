import type { ApplicationSource } from '@fairlead/api';
import type { Limits } from '../go-template/limits.ts';
import type { Tree } from '../tree/tree.ts';
import type { FetchRemote } from './remotes.ts';

/** What a render may depend on in addition to its source and its tree. Everything is optional. */
export interface RenderContext {
  /** The Application's name, and the default name of a chart's release. */
  readonly name?: string;
  /** The namespace of the Application's destination. */
  readonly namespace?: string;
  readonly project?: string;
  /** The commit or version of the tree. */
  readonly revision?: string;
  /** The version and APIs of the destination cluster; Helm's defaults if absent. */
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** Trees of the Application's other sources, to which `$name/…` in value files refers. */
  readonly refs?: ReadonlyMap<string, Tree>;
  /** Fetches remotes: bases and files of kustomizations, and chart dependencies. Without it, remotes are errors. */
  readonly fetchRemote?: FetchRemote;
  /** Flags of `kustomize build` for all sources, from the setting `kustomize.buildOptions`. Without it, charts are enabled. */
  readonly kustomizeBuildOptions?: string;
  /** The registered versions of Kustomize, from the settings `kustomize.path.VERSION`. Without it, every version is accepted. */
  readonly kustomizeVersions?: readonly string[];
  /** Source types that the settings turn off: such a source is read as a plain directory, and Jsonnet files are left out. */
  readonly disabledTypes?: readonly ('Helm' | 'Kustomize' | 'Jsonnet')[];
  /** The schemes of remote value files, from the setting `helm.valuesFileSchemes`; http and https without it. */
  readonly valuesFileSchemes?: readonly string[];
  /** The version of Helm whose behaviour is used if the source names none. */
  readonly helmVersion?: string;
  /** Limits of one render. */
  readonly limits?: Limits;
}

/**
 * The variables that options may refer to, such as `$ARGOCD_APP_NAME`. Records those that were used, with their values: the manifests
 * depend on no others, so a new revision does not affect a source that never mentions it.
 */
export class Variables {
  readonly used = new Map<string, string>();
  private readonly values: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, string>>) {
    this.values = values;
  }

  /** Replaces `$NAME` and `${NAME}` by their values, `$$` by `$`, and unknown names by nothing. */
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
