import type { ApplicationSource, ApplicationSpec } from '@fairlead/api';
import type { Manifest, ManifestCache, SourceType } from '@fairlead/render';
import type { Repositories } from '@fairlead/source';

/** What an Application's sources say, at one revision each. */
export interface DesiredState {
  readonly manifests: readonly Manifest[];
  /** The commit of each source. */
  readonly revisions: readonly string[];
  readonly types: readonly SourceType[];
}

export interface DesiredStateOptions {
  /** Commits or names to take instead of what the sources say. */
  readonly revisions?: readonly string[];
  /** Resolve names afresh. */
  readonly fresh?: boolean;
  /** Drop cached manifests. */
  readonly hard?: boolean;
}

export const sourcesOf = (spec: Pick<ApplicationSpec, 'source' | 'sources'>): readonly ApplicationSource[] =>
  spec.sources?.length ? spec.sources : spec.source ? [spec.source] : [];

/** Reads and renders sources. Nothing is read twice that is known, and nothing is rendered that cannot have changed. */
export async function loadDesiredState(
  { repositories, manifests: cache }: { readonly repositories: Repositories; readonly manifests: ManifestCache },
  sources: readonly ApplicationSource[],
  options: DesiredStateOptions = {},
): Promise<DesiredState> {
  const loaded = await Promise.all(
    sources.map(async (source, i) => {
      const revision = await repositories.resolve(
        source.repoURL,
        options.revisions?.[i] || (source.targetRevision ?? ''),
        {
          fresh: options.fresh ?? false,
        },
      );
      // A source that others only refer to brings no manifests of its own.
      if (source.ref && !source.path && !source.chart) return { revision, rendered: undefined };
      const repository = repositories.keyOf(source.repoURL);
      if (options.hard) cache.forget(repository, source);
      return {
        revision,
        rendered: await cache.render(repository, source, await repositories.tree(source.repoURL, revision)),
      };
    }),
  );
  return {
    manifests: loaded.flatMap(({ rendered }) => rendered?.manifests ?? []),
    revisions: loaded.map(({ revision }) => revision),
    types: loaded.flatMap(({ rendered }) => rendered?.type ?? []),
  };
}
