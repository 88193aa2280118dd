import { useEffect, useState } from 'react';
import type { Graph } from './graph-model.ts';
import { type Layout, layOut } from './layout.ts';

/** The layout of the graph. While a new one is made, the last one stays. It is made again only if the structure has changed. */
export function useLayout(graph: Graph): Layout | undefined {
  const [layout, setLayout] = useState<Layout>();
  const structure = `${graph.nodes.length}\n${graph.edges.map(({ from, to }) => `${from}→${to}`).join('\n')}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the structure identifies the graph
  useEffect(() => {
    let isCurrent = true;
    void layOut(graph).then((made) => {
      if (isCurrent) setLayout(made);
    });
    return () => {
      isCurrent = false;
    };
  }, [structure]);
  return layout;
}
