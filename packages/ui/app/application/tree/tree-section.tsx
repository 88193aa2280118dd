import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Check } from '../../design/check.tsx';
import { Empty } from '../../design/empty.tsx';
import { Icon } from '../../design/icon.tsx';
import { Loading } from '../../design/loading.tsx';
import { Problem } from '../../design/problem.tsx';
import { Segments } from '../../design/segments.tsx';
import { t } from '../../messages/index.ts';
import type { SectionProps } from '../application-page.tsx';
import { treeQuery } from '../queries.ts';
import { TreeList } from './tree-list.tsx';
import { countItems, filtered, treeItems } from './tree-model.ts';

const TreeGraph = lazy(() => import('./tree-graph.tsx'));
const NetworkGraph = lazy(() => import('../network/network-graph.tsx'));

export function TreeSection({ app, search, onChange }: SectionProps) {
  const { data: nodes, error, refetch } = useQuery(treeQuery(app));
  const [text, setText] = useState('');
  const [onlyProblems, setOnlyProblems] = useState(false);
  const items = useMemo(() => treeItems(app, nodes ?? []), [app, nodes]);
  const shown = useMemo(() => filtered(items, text, onlyProblems), [items, text, onlyProblems]);
  const open = (resource: string): void => onChange({ resource, part: undefined });
  const view = search.tree ?? 'graph';
  return (
    <div className="stack tree-section">
      <div className="row tree-tools">
        <div className="search-field">
          <Icon name="search" size={14} />
          <input
            className="input"
            type="search"
            data-search
            aria-label={t.tree.filter}
            placeholder={t.tree.filter}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <Check checked={onlyProblems} onChange={setOnlyProblems}>
          {t.tree.unhealthy}
        </Check>
        <span className="muted small">{t.tree.resources(countItems(shown))}</span>
        <Segments
          label={t.tree.label}
          value={view}
          options={[
            { value: 'graph', label: t.tree.graph, icon: 'sets' },
            { value: 'list', label: t.tree.list, icon: 'list' },
            { value: 'network', label: t.tree.network, icon: 'network' },
          ]}
          onChange={(value) => onChange({ tree: value === 'graph' ? undefined : value })}
        />
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!nodes && !error && <Loading />}
      {nodes && items.length === 0 && (
        <Empty icon="cluster" title={t.tree.empty}>
          <p>{t.tree.emptyHint}</p>
        </Empty>
      )}
      {nodes && items.length > 0 && view === 'list' && <TreeList items={shown} onOpen={open} />}
      {nodes && items.length > 0 && view !== 'list' && (
        <Suspense fallback={<Loading />}>
          {view === 'graph' && <TreeGraph app={app} items={shown} onOpen={open} />}
          {view === 'network' && <NetworkGraph app={app} items={shown} onOpen={open} />}
        </Suspense>
      )}
    </div>
  );
}
