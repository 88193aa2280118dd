import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Empty } from '../../design/empty.tsx';
import { Loading } from '../../design/loading.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';
import type { SectionProps } from '../application-page.tsx';
import { treeQuery } from '../queries.ts';
import { infoText } from './graph-node.tsx';
import { flatItems, type TreeItem, treeItems } from './tree-model.ts';

/** Pods by the node that they run on. */
export default function PodsSection({ app, onChange }: SectionProps) {
  const { data: nodes } = useQuery(treeQuery(app));
  const pods = useMemo(
    () => flatItems(treeItems(app, nodes ?? [])).filter(({ kind, group }) => kind === 'Pod' && group === ''),
    [app, nodes],
  );
  if (!nodes) return <Loading />;
  if (pods.length === 0) return <Empty icon="cluster" title={t.tree.empty} />;
  const nodeOf = ({ info }: TreeItem): string => info.find(({ name }) => name === 'Node')?.value ?? '';
  const byNode = [...Map.groupBy(pods, nodeOf)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return (
    <div className="pod-nodes">
      {byNode.map(([node, of]) => (
        <section
          key={node}
          className="card padded stack"
          aria-label={node === '' ? t.tree.unscheduled : t.tree.node(node)}
        >
          <h2 className="card-title">{node === '' ? t.tree.unscheduled : node}</h2>
          <ul className="pods">
            {of.map((pod) => (
              <li key={pod.id}>
                <button type="button" className="pod" onClick={() => onChange({ resource: pod.id, part: undefined })}>
                  <Status iconOnly status={pod.health || 'Unknown'} />
                  <span className="truncate">{pod.name}</span>
                  <span className="muted small">{infoText(pod)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
