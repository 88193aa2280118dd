import type { ElkNode } from 'elkjs/lib/elk-api';
import ELK from 'elkjs/lib/elk-api.js';
import workerUrl from 'elkjs/lib/elk-worker.min.js?url';
import type { Graph } from './graph-model.ts';

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly places: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
}

const elk = new ELK({ workerFactory: () => new Worker(workerUrl) });

/** Above this many nodes, the crossings that the thorough algorithm avoids are not visible, but its time is. */
const thoroughUpTo = 400;

/** Places the nodes from left to right, in a worker. */
export async function layOut({ nodes, edges }: Graph): Promise<Layout> {
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: {
      ...(nodes.length > thoroughUpTo
        ? { 'elk.algorithm': 'mrtree' }
        : {
            'elk.algorithm': 'layered',
            'elk.layered.spacing.nodeNodeBetweenLayers': '64',
            'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
            'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
          }),
      'elk.direction': 'RIGHT',
      'elk.spacing.nodeNode': '16',
    },
    children: nodes.map(({ id, width, height }) => ({ id, width, height })),
    edges: edges.map(({ from, to }) => ({ id: `${from}→${to}`, sources: [from], targets: [to] })),
  };
  const { children = [], width = 0, height = 0 } = await elk.layout(graph);
  return { width, height, places: new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }])) };
}
