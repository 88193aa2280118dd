import type { ApplicationSource, ApplicationSpec } from '@fairlead/api';
import type { Manifest, Rendered, SourceType } from '@fairlead/render';
import type { World } from './world.ts';

/** What an Application's sources say, at one revision each. */
export interface DesiredState {
  readonly manifests: readonly Manifest[];
  /** The commit of each source. */
  readonly revisions: readonly string[];
  readonly types: readonly SourceType[];
  /** What was rendered of each source: the very same object as long as nothing that it was made from changes. */
  readonly rendered: readonly (Rendered | undefined)[];
}

/**
 * The revisions to speak of. A commit that changes nothing of an Application's own is not news for it: it stays at the one that last did,
 * and costs no write, in a monorepo of any size.
 */
export function unlessUnchanged(before: DesiredState | undefined, now: DesiredState): DesiredState {
  const same =
    before?.rendered.length === now.rendered.length &&
    before.rendered.every((rendered, i) => rendered === now.rendered[i]);
  return before && same && now.rendered.every((rendered) => rendered !== undefined) ? before : now;
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
  { sources: reader, manifests: cache, access }: Pick<World, 'sources' | 'manifests' | 'access'>,
  project: string,
  sources: readonly ApplicationSource[],
  options: DesiredStateOptions = {},
): Promise<DesiredState> {
  const loaded = await Promise.all(
    sources.map(async (source, i) => {
      const ask = {
        credentials: access.credentialsFor(source.repoURL, project),
        passCredentials: source.helm?.passCredentials ?? false,
      };
      const wanted = options.revisions?.[i] || (source.targetRevision ?? '');
      const revision = await reader.resolve(source, wanted, { ...ask, fresh: options.fresh ?? false });
      // A source that others only refer to brings no manifests of its own.
      if (source.ref && !source.path && !source.chart) return { revision, rendered: undefined };
      const repository = reader.keyOf(source);
      if (options.hard) cache.forget(repository, source);
      return {
        revision,
        rendered: await cache.render(repository, source, await reader.tree(source, revision, ask)),
      };
    }),
  );
  return {
    manifests: loaded.flatMap(({ rendered }) => rendered?.manifests ?? []),
    revisions: loaded.map(({ revision }) => revision),
    types: loaded.flatMap(({ rendered }) => rendered?.type ?? []),
    rendered: loaded.map(({ rendered }) => rendered),
  };
}
