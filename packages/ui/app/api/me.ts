import type { Me } from '@fairlead/client';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { client } from './client.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => client.call('getMe'),
  staleTime: 60_000,
});

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** Whether the caller may do something in some project. The server decides about each object. */
export function useMay(): (resource: string, action: string) => boolean {
  const { can } = useMe();
  return (resource, action) => can[`${resource}:${action}`] === true;
}
