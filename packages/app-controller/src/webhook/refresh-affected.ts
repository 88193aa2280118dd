import type { Application } from '@fairlead/api';
import { getOrCreate, keyOf } from '@fairlead/apimachinery';
import type { Logger } from '@fairlead/kube';
import type { RefreshLevel } from '../refresh/refresh.ts';
import { affectedRepositories, locationsOf } from './affected.ts';
import type { Push } from './push.ts';

export interface RefreshAffectedOptions {
  /** The Applications with a source at a location (see `locationsFollowed`), from an index. */
  readonly applicationsAt: (location: string) => readonly Application[];
  /** Reads the refs of a repository at once. */
  readonly refreshRepository: (repoUrl: string) => Promise<void>;
  readonly request: (key: string, level: RefreshLevel) => void;
  readonly log: Logger;
}

/** The Applications that a push concerns, by the repository that each follows. */
export function concernedBy(
  push: Push,
  applicationsAt: (location: string) => readonly Application[],
): ReadonlyMap<string, readonly Application[]> {
  const concerned = new Map<string, Application[]>();
  for (const application of new Set(locationsOf(push).flatMap((location) => applicationsAt(location)))) {
    for (const repository of affectedRepositories(application, push))
      getOrCreate(concerned, repository, () => []).push(application);
  }
  return concerned;
}

/** For a controller: each repository is read once, and then all Applications that follow it are refreshed. */
export const refreshAffected =
  ({ applicationsAt, refreshRepository, request, log }: RefreshAffectedOptions) =>
  async (push: Push): Promise<void> => {
    for (const [repository, applications] of concernedBy(push, applicationsAt)) {
      log.info('a push concerns Applications', {
        repository,
        ref: push.everyRef ? '*' : push.ref,
        applications: applications.length,
      });
      // Artifacts are resolved by the refresh itself.
      if (push.isArtifact) {
        for (const application of applications) request(keyOf(application), 3);
        continue;
      }
      try {
        await refreshRepository(repository);
        for (const application of applications) request(keyOf(application), 2);
      } catch (error) {
        log.warn('a repository could not be refreshed', { repository, error });
        for (const application of applications) request(keyOf(application), 3);
      }
    }
  };
