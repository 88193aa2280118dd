import type { ApplicationSource, ApplicationSpec } from '@fairlead/api';
import { normalizeGitUrl } from '@fairlead/source';

export type SourceHydrator = NonNullable<ApplicationSpec['sourceHydrator']>;

/** What is rendered. */
export const drySourceOf = ({ drySource }: SourceHydrator): ApplicationSource => drySource;

/** What is synced: the rendered manifests in their branch. */
export function syncSourceOf(hydrator: SourceHydrator): ApplicationSource {
  const { drySource, syncSource } = hydrator;
  const source = known.get(hydrator) ?? {
    repoURL: syncSource.repoURL || drySource.repoURL,
    targetRevision: syncSource.targetBranch,
    path: syncSource.path,
  };
  known.set(hydrator, source);
  return source;
}

const known = new WeakMap<SourceHydrator, ApplicationSource>();

/** The single source of an Application that is synced, if it has no list of sources. */
export const singleSourceOf = ({
  source,
  sourceHydrator,
}: Pick<ApplicationSpec, 'source' | 'sourceHydrator'>): ApplicationSource | undefined =>
  sourceHydrator ? syncSourceOf(sourceHydrator) : source;

/** The branch that manifests are committed to: that of the sync source, or another one from which they are promoted. */
export const hydratedBranchOf = ({ syncSource, hydrateTo }: SourceHydrator): string =>
  hydrateTo?.targetBranch || syncSource.targetBranch;

/** Applications with the same key are rendered from one commit, and committed together. */
export function groupKeyOf(hydrator: SourceHydrator): string {
  const { repoURL, targetRevision } = hydrator.drySource;
  const destination = normalizeGitUrl(syncSourceOf(hydrator).repoURL);
  return JSON.stringify([normalizeGitUrl(repoURL), targetRevision, destination, hydratedBranchOf(hydrator)]);
}
