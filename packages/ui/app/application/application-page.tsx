import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { Loading } from '../design/loading.tsx';
import { useTitle } from '../design/page.tsx';
import { Problem } from '../design/problem.tsx';
import { t } from '../messages/index.ts';
import { ApplicationHeader } from './application-header.tsx';
import { ExplainCard } from './explain-card.tsx';
import { OperationBar } from './operation/operation-bar.tsx';
import { applicationQuery } from './queries.ts';
import { type ApplicationSearch, type Section, sections } from './search.ts';
import { TreeSection } from './tree/tree-section.tsx';
import { useRights } from './use-rights.ts';
import './application.css';

const route = getRouteApi('/shell/applications/$namespace/$name');

const DiffSection = lazy(() => import('./diff/diff-section.tsx'));
const FlowSection = lazy(() => import('./flow/flow-section.tsx'));
const HistorySection = lazy(() => import('./history/history-section.tsx'));
const PodsSection = lazy(() => import('./tree/pods-section.tsx'));
const EventsSection = lazy(() => import('./events-section.tsx'));
const ManifestSection = lazy(() => import('./manifest-section.tsx'));
const ResourceDrawer = lazy(() => import('./resource/resource-drawer.tsx'));
const SyncDialog = lazy(() => import('./sync/sync-dialog.tsx'));

export function ApplicationPage() {
  const ref = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: app, error, refetch } = useQuery(applicationQuery(ref));
  const rights = useRights(ref, app?.project ?? '');
  useTitle(ref.name);
  const change = (next: ApplicationSearch): void => void navigate({ search: { ...search, ...next } });
  const section = search.section ?? 'tree';
  return (
    <div className="page application">
      <nav className="crumbs small" aria-label={t.breadcrumb}>
        <Link to="/applications" search={{}}>
          {t.nav.applications}
        </Link>
        <span aria-hidden="true">/</span>
        <span className="muted">{ref.namespace}</span>
      </nav>
      {!app && <h1>{ref.name}</h1>}
      {error && !app && <Problem error={error} onRetry={() => void refetch()} />}
      {!app && !error && <Loading lines={8} />}
      {app && (
        <>
          <ApplicationHeader app={app} rights={rights} onSync={() => change({ dialog: 'sync' })} />
          <ExplainCard app={app} />
          <OperationBar app={app} rights={rights} />
          <nav className="tabs" aria-label={t.app.sections}>
            {sections.map((name) => (
              <Link
                key={name}
                from="/applications/$namespace/$name"
                to="."
                search={{ section: name === 'tree' ? undefined : name }}
                className={`tab${name === section ? ' current' : ''}`}
                activeOptions={{ exact: true, includeSearch: true }}
              >
                {t.app[name]}
              </Link>
            ))}
          </nav>
          <ErrorBoundary key={section}>
            <Suspense fallback={<Loading />}>
              <SectionOf section={section} app={app} search={search} rights={rights} onChange={change} />
            </Suspense>
          </ErrorBoundary>
          <Suspense>
            {search.resource !== undefined && (
              <ResourceDrawer
                key={search.resource}
                app={app}
                id={search.resource}
                part={search.part ?? 'summary'}
                rights={rights}
                onChange={change}
              />
            )}
            {search.dialog === 'sync' && rights.sync && (
              <SyncDialog app={app} resource={search.resource} onClose={() => change({ dialog: undefined })} />
            )}
          </Suspense>
        </>
      )}
    </div>
  );
}

export interface SectionProps {
  readonly app: Parameters<typeof ApplicationHeader>[0]['app'];
  readonly search: ApplicationSearch;
  readonly rights: ReturnType<typeof useRights>;
  readonly onChange: (search: ApplicationSearch) => void;
}

function SectionOf({ section, ...props }: SectionProps & { readonly section: Section }) {
  switch (section) {
    case 'tree':
      return <TreeSection {...props} />;
    case 'flow':
      return <FlowSection app={props.app} />;
    case 'diff':
      return <DiffSection {...props} />;
    case 'history':
      return <HistorySection {...props} />;
    case 'pods':
      return <PodsSection {...props} />;
    case 'events':
      return <EventsSection app={props.app} />;
    case 'manifest':
      return <ManifestSection app={props.app} />;
  }
}
