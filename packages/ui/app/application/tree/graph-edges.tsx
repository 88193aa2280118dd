import { memo } from 'react';
import type { Graph } from './graph-model.ts';
import { nodeHeight, nodeWidth } from './graph-model.ts';
import type { Layout } from './layout.ts';
import { problemRank } from './tree-model.ts';

interface GraphEdgesProps {
  readonly graph: Graph;
  readonly layout: Layout;
}

/** All edges as two paths: one for the way to problems, one for the rest. */
export const GraphEdges = memo(function GraphEdges({ graph, layout }: GraphEdgesProps) {
  const worst = new Map(graph.nodes.map(({ id, content }) => [id, content.kind === 'item' ? content.item.worst : 99]));
  const paths = { problem: '', usual: '' };
  for (const { from, to } of graph.edges) {
    const [a, b] = [layout.places.get(from), layout.places.get(to)];
    if (!a || !b) continue;
    const [x1, y1, x2, y2] = [a.x + nodeWidth, a.y + nodeHeight / 2, b.x, b.y + nodeHeight / 2];
    const middle = (x1 + x2) / 2;
    const path = `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
    if ((worst.get(to) ?? 99) < problemRank) paths.problem += path;
    else paths.usual += path;
  }
  return (
    <svg className="graph-edges" aria-hidden="true" width={layout.width + 40} height={layout.height + 40}>
      <path d={paths.usual} />
      <path d={paths.problem} className="problem-path" />
    </svg>
  );
});
