import type { JsonObject } from '@fairlead/apimachinery/json-at';
import { objectsAt } from '@fairlead/apimachinery/json-at';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { get } from '../api/argocd.ts';

/** A list of Argo CD's API. */
export const useList = (path: string): UseQueryResult<readonly JsonObject[]> =>
  useQuery({
    queryKey: ['list', path],
    queryFn: async ({ signal }) => objectsAt(await get(path, {}, signal), 'items'),
    refetchInterval: 15_000,
  });
