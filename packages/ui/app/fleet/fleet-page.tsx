import type { ApplicationSummary } from '@fairlead/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useMay } from '../api/me.ts';
import { Icon } from '../design/icon.tsx';
import { Loading } from '../design/loading.tsx';
import { Page } from '../design/page.tsx';
import { Problem } from '../design/problem.tsx';
import { Segments } from '../design/segments.tsx';
import { t } from '../messages/index.ts';
import { BulkBar } from './bulk-bar.tsx';
import { Facets } from './facets.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FleetSummary } from './fleet-summary.tsx';
import { FleetTable } from './fleet-table.tsx';
import { FleetTiles } from './fleet-tiles.tsx';
import { HeatmapView } from './heatmap-view.tsx';
import { NoApplications } from './no-applications.tsx';
import { applicationsQuery, facetsQuery } from './queries.ts';
import { SavedViews } from './saved-views.tsx';
import type { FleetSearch, FleetView } from './search.ts';
import { SearchField } from './search-field.tsx';
import { emptySelection, toggledSelection } from './selection.ts';
import './fleet.css';

const route = getRouteApi('/shell/applications');

const views: readonly {
  readonly value: FleetView;
  readonly label: string;
  readonly icon: 'table' | 'apps' | 'grid';
}[] = [
  { value: 'table', label: t.fleet.table, icon: 'table' },
  { value: 'tiles', label: t.fleet.tiles, icon: 'apps' },
  { value: 'heatmap', label: t.fleet.heatmap, icon: 'grid' },
];

/** All Applications that the caller may see. */
export function FleetPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const [selection, setSelection] = useState(emptySelection);
  const [showsFilters, setShowsFilters] = useState(false);
  const toggle = useCallback((item: ApplicationSummary) => setSelection((old) => toggledSelection(old, item)), []);
  const view = search.view ?? 'table';
  const list = useInfiniteQuery({ ...applicationsQuery(search, search.sort ?? 'name'), enabled: view !== 'heatmap' });
  const facets = useQuery(facetsQuery(search));
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const change = (next: FleetSearch, replace = false): void => {
    setSelection(emptySelection);
    void navigate({ search: next, replace });
  };
  const total = facets.data?.total ?? list.data?.pages[0]?.total;
  const isEmpty = view !== 'heatmap' && list.isSuccess && items.length === 0;
  return (
    <Page
      title={t.fleet.title}
      meta={total !== undefined && <span className="muted small">{t.fleet.total(total)}</span>}
      actions={
        may('applications', 'create') && (
          <Link to="/new-application" className="button primary">
            <Icon name="plus" size={14} />
            {t.fleet.create}
          </Link>
        )
      }
    >
      <FleetSummary facets={facets.data} search={search} onChange={change} />
      <div className="fleet-tools">
        <SearchField
          value={search.q ?? ''}
          onChange={(q) => change({ ...search, q: q === '' ? undefined : q }, true)}
        />
        <button
          type="button"
          className="button filters-button"
          aria-expanded={showsFilters}
          onClick={() => setShowsFilters(!showsFilters)}
        >
          {t.fleet.filters}
        </button>
        <SavedViews search={search} onChange={change} />
        <Segments
          label={t.fleet.view}
          value={view}
          options={views}
          onChange={(next) => change({ ...search, view: next === 'table' ? undefined : next })}
        />
      </div>
      <FilterChips search={search} onChange={change} />
      <div className={`fleet-body${showsFilters ? ' filters-open' : ''}`}>
        <Facets facets={facets.data} search={search} onChange={change} />
        <section className="fleet-list" aria-label={t.fleet.title}>
          {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
          {list.isPending && view !== 'heatmap' && <Loading lines={12} />}
          {isEmpty && <NoApplications search={search} onChange={change} />}
          {view === 'table' && items.length > 0 && (
            <FleetTable
              items={items}
              total={list.data?.pages[0]?.total ?? items.length}
              search={search}
              selection={selection}
              onSelect={setSelection}
              onToggle={toggle}
              onChange={change}
              onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
            />
          )}
          {view === 'tiles' && items.length > 0 && (
            <FleetTiles
              items={items}
              onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
            />
          )}
          {view === 'heatmap' && <HeatmapView search={search} onChange={change} />}
        </section>
      </div>
      <BulkBar selection={selection} search={search} total={total ?? 0} onSelect={setSelection} />
    </Page>
  );
}
