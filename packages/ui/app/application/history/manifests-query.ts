import { queryOptions } from '@tanstack/react-query';
import { applicationPath, get } from '../../api/argocd.ts';
import { type HistoryEntry, textsAt } from '../../api/read-application.ts';
import type { AppRef } from '../queries.ts';

/** What the sources of an Application render to, at the revisions of a deployment. */
export const manifestsQuery = (app: AppRef, { id, revision, revisions }: HistoryEntry) =>
  queryOptions({
    queryKey: ['manifests', app.namespace, app.name, id, revision, revisions],
    queryFn: async ({ signal }): Promise<readonly unknown[]> => {
      const query =
        revisions.length > 0 ? { revisions, sourcePositions: revisions.map((_, place) => place + 1) } : { revision };
      const answer = await get(
        applicationPath(app.name, 'manifests'),
        { appNamespace: app.namespace, ...query },
        signal,
      );
      return textsAt(answer, 'manifests').map((text): unknown => JSON.parse(text));
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
