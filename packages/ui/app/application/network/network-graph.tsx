import { useMemo } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { Empty } from '../../design/empty.tsx';
import { t } from '../../messages/index.ts';
import { GraphView } from '../tree/graph-view.tsx';
import type { TreeItem } from '../tree/tree-model.ts';
import { useToggled } from '../tree/use-toggled.ts';
import { connectionsOf, networkOf } from './network-model.ts';

interface NetworkGraphProps {
  readonly app: ApplicationDetail;
  readonly items: readonly TreeItem[];
  readonly onOpen: (id: string) => void;
}

/** How traffic reaches the Pods, as a picture and, for screen readers, as sentences. */
export default function NetworkGraph({ app, items, onOpen }: NetworkGraphProps) {
  const [opened, toggle] = useToggled();
  const graph = useMemo(() => networkOf(items, opened), [items, opened]);
  const connections = useMemo(() => connectionsOf(items), [items]);
  if (graph.nodes.length === 0) {
    return (
      <Empty icon="network" title={t.network.empty}>
        <p>{t.network.emptyHint}</p>
      </Empty>
    );
  }
  const text = ({ kind, name }: TreeItem): string => `${kind} ${name}`;
  return (
    <>
      <ul className="visually-hidden" aria-label={t.network.label}>
        {connections.map(({ from, to }) => (
          <li key={`${from.id}→${to.id}`}>{t.network.sends(text(from), text(to))}</li>
        ))}
      </ul>
      <GraphView app={app} label={t.network.label} graph={graph} onOpen={onOpen} onToggle={toggle} />
    </>
  );
}
