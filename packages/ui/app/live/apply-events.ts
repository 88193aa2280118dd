import type { ApplicationPage, ApplicationSummary, FleetEvent } from '@fairlead/client';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { readEvent } from './last-event.ts';

/** At most one reading of the lists in this time, however many changes there are. */
const refreshMs = 2_000;

/** Brings what the page has read up to date with events. */
export function eventApplier(queries: QueryClient): (events: readonly FleetEvent[]) => void {
  const stale = new Set<string>();
  let isWaiting = false;
  const refreshLater = (...keys: readonly string[]): void => {
    for (const key of keys) stale.add(key);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      for (const key of stale) void queries.invalidateQueries({ queryKey: [key] });
      stale.clear();
    }, refreshMs);
  };
  return (events) => {
    const changed = new Map<string, ApplicationSummary>();
    readEvent(events.at(-1)?.id ?? '');
    for (const { event, data } of events) {
      if (event === 'reload') void queries.invalidateQueries();
      if (event === 'agent') refreshLater('agents');
      if (event !== 'application') continue;
      refreshLater('facets', 'heatmap');
      if (data.type === 'MODIFIED') changed.set(data.summary.uid, data.summary);
      else refreshLater('applications');
    }
    for (const { namespace, name } of changed.values()) {
      void queries.invalidateQueries({ queryKey: ['application', namespace, name] });
    }
    if (changed.size > 0) patchLists(queries, changed);
  };
}

function patchLists(queries: QueryClient, changed: ReadonlyMap<string, ApplicationSummary>): void {
  queries.setQueriesData<InfiniteData<ApplicationPage>>({ queryKey: ['applications'] }, (list) => {
    if (!list) return list;
    let isChanged = false;
    const pages = list.pages.map((page) => {
      if (!page.items.some(({ uid }) => changed.has(uid))) return page;
      isChanged = true;
      return { ...page, items: page.items.map((item) => changed.get(item.uid) ?? item) };
    });
    return isChanged ? { ...list, pages } : list;
  });
}
