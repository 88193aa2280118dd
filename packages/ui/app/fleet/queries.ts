import type { ApplicationPage } from '@fairlead/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { sinceLastEvent } from '../live/last-event.ts';
import { type FleetSearch, filtersOf, type GroupBy, type SortKey } from './search.ts';

const pageSize = 200;

export const applicationsQuery = (search: FleetSearch, sort: SortKey) => {
  const filters = filtersOf(search);
  return infiniteQueryOptions({
    queryKey: ['applications', filters, sort],
    queryFn: ({ pageParam, signal }) =>
      client.call(
        'listApplications',
        {
          query: {
            ...filters,
            ...sinceLastEvent(),
            sort,
            limit: pageSize,
            ...(pageParam === '' ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last: ApplicationPage) => last.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
};

export const facetsQuery = (search: FleetSearch) => {
  const filters = filtersOf(search);
  return queryOptions({
    queryKey: ['facets', filters],
    queryFn: ({ signal }) => client.call('getFacets', { query: { ...filters, ...sinceLastEvent() } }, { signal }),
    placeholderData: keepPreviousData,
  });
};

export const heatmapQuery = (search: FleetSearch, group: GroupBy) => {
  const filters = filtersOf(search);
  return queryOptions({
    queryKey: ['heatmap', filters, group],
    queryFn: ({ signal }) =>
      client.call('getHeatmap', { query: { ...filters, ...sinceLastEvent(), group } }, { signal }),
    placeholderData: keepPreviousData,
  });
};
