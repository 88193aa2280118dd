import { useMemo } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { t } from '../../messages/index.ts';
import { graphOf } from './graph-model.ts';
import { GraphView } from './graph-view.tsx';
import type { TreeItem } from './tree-model.ts';
import { useToggled } from './use-toggled.ts';

interface TreeGraphProps {
  readonly app: ApplicationDetail;
  readonly items: readonly TreeItem[];
  readonly onOpen: (id: string) => void;
}

/** The resource tree as a picture. The list shows the same as text. */
export default function TreeGraph({ app, items, onOpen }: TreeGraphProps) {
  const [toggled, toggle] = useToggled();
  const graph = useMemo(() => graphOf(items, toggled), [items, toggled]);
  return <GraphView app={app} label={t.tree.label} graph={graph} onOpen={onOpen} onToggle={toggle} />;
}
