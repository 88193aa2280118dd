import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useMe } from '../../api/me.ts';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ErrorBoundary } from '../../design/error-boundary.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { Status } from '../../design/status.tsx';
import { yamlText } from '../../lib/yaml-text.ts';
import { t } from '../../messages/index.ts';
import { CodeView } from '../code/code-view.tsx';
import { EventList } from '../event-list.tsx';
import { diffQuery, eventsQuery, type Rights, treeQuery } from '../queries.ts';
import type { ApplicationSearch, ResourceSection } from '../search.ts';
import { findItem, type TreeItem, treeItems } from '../tree/tree-model.ts';
import { liveObjectQuery, sameResource } from './queries.ts';
import { ResourceActions } from './resource-actions.tsx';
import { ResourceSummary } from './resource-summary.tsx';

const ResourceDiff = lazy(() => import('../diff/resource-diff.tsx'));
const LogView = lazy(() => import('./log-view.tsx'));
const TerminalView = lazy(() => import('./terminal/terminal-view.tsx'));

interface ResourceDrawerProps {
  readonly app: ApplicationDetail;
  readonly id: string;
  readonly part: ResourceSection;
  readonly rights: Rights;
  readonly onChange: (search: ApplicationSearch) => void;
}

const isPod = ({ kind, group }: TreeItem): boolean => kind === 'Pod' && group === '';
const hasLogs = (item: TreeItem): boolean =>
  isPod(item) || ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].includes(item.kind);

/** Everything about one object. */
export default function ResourceDrawer({ app, id, part, rights, onChange }: ResourceDrawerProps) {
  const { data: nodes } = useQuery(treeQuery(app));
  const { execEnabled } = useMe().settings;
  const item = nodes && findItem(treeItems(app, nodes), id);
  const close = (): void => onChange({ resource: undefined, part: undefined });
  if (!nodes) return null;
  if (!item) {
    return (
      <Dialog title={id} onClose={close}>
        <p>{t.resource.missing}</p>
      </Dialog>
    );
  }
  const isManaged = item.sync !== '';
  const parts: readonly ResourceSection[] = [
    'summary',
    ...(item.uid === '' ? [] : (['live'] as const)),
    ...(isManaged ? (['target', 'diff'] as const) : []),
    'events',
    ...(rights.logs && item.uid !== '' && hasLogs(item) ? (['logs'] as const) : []),
    ...(rights.exec && execEnabled && item.uid !== '' && isPod(item) ? (['terminal'] as const) : []),
  ];
  return (
    <Dialog
      side
      title={item.name}
      subtitle={
        <div className="row drawer-subtitle">
          <span className="muted small">
            {item.kind} · {item.namespace || 'cluster'}
          </span>
          {item.health !== '' && <Status status={item.health} />}
          {item.sync !== '' && <Status status={item.sync} />}
        </div>
      }
      onClose={close}
    >
      <div className="drawer-tools">
        <nav className="tabs" aria-label={t.resource.sections}>
          {parts.map((name) => (
            <button
              key={name}
              type="button"
              className="tab"
              aria-current={name === part ? 'page' : undefined}
              onClick={() => onChange({ part: name === 'summary' ? undefined : name })}
            >
              {t.resource[name]}
            </button>
          ))}
        </nav>
        <span className="spread" />
        <ResourceActions
          app={app}
          item={item}
          rights={rights}
          onSync={() => onChange({ dialog: 'sync' })}
          onGone={close}
        />
      </div>
      <div className="drawer-body">
        <ErrorBoundary key={part}>
          <Suspense fallback={<Loading />}>
            <Part app={app} item={item} part={parts.find((name) => name === part) ?? 'summary'} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </Dialog>
  );
}

function Part({
  app,
  item,
  part,
}: {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
  readonly part: ResourceSection;
}) {
  switch (part) {
    case 'summary':
      return <ResourceSummary item={item} />;
    case 'live':
      return <LiveManifest app={app} item={item} />;
    case 'target':
      return <TargetManifest app={app} item={item} />;
    case 'diff':
      return <Diff app={app} item={item} />;
    case 'events':
      return <Events app={app} item={item} />;
    case 'logs':
      return <LogView app={app} item={item} />;
    case 'terminal':
      return <TerminalView app={app} item={item} />;
  }
}

interface PartProps {
  readonly app: ApplicationDetail;
  readonly item: TreeItem;
}

function LiveManifest({ app, item }: PartProps) {
  const { data, error } = useQuery(liveObjectQuery(app, item));
  if (error) return <Problem error={error} />;
  return data === undefined ? <Loading /> : <CodeView text={yamlText(data)} label={t.resource.live} />;
}

function TargetManifest({ app, item }: PartProps) {
  const { data, error } = useQuery(diffQuery(app));
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  const target = data.resources.find(sameResource(item))?.target;
  return target ? <CodeView text={yamlText(target)} label={t.resource.target} /> : <p>{t.resource.noTarget}</p>;
}

function Diff({ app, item }: PartProps) {
  const { data, error } = useQuery(diffQuery(app));
  if (error) return <Problem error={error} />;
  if (!data) return <Loading />;
  const resource = data.resources.find(sameResource(item));
  return resource ? <ResourceDiff resource={resource} inline /> : <p>{t.resource.noDiff}</p>;
}

function Events({ app, item }: PartProps) {
  const { data, error } = useQuery(eventsQuery(app, item));
  if (error) return <Problem error={error} />;
  return data === undefined ? <Loading /> : <EventList answer={data} />;
}
