import { useEffect, useRef } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Loading } from '../../design/loading.tsx';
import { t } from '../../messages/index.ts';
import { GraphEdges } from './graph-edges.tsx';
import type { Graph } from './graph-model.ts';
import { GraphNodeView } from './graph-node.tsx';
import { useLayout } from './use-layout.ts';
import { useViewport } from './use-viewport.ts';

interface GraphViewProps {
  readonly app: ApplicationDetail;
  readonly label: string;
  readonly graph: Graph;
  readonly onOpen: (id: string) => void;
  readonly onToggle: (id: string) => void;
}

/** Objects and what connects them, from left to right. */
export function GraphView({ app, label, graph, onOpen, onToggle }: GraphViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const layout = useLayout(graph);
  const { viewport, size, zoom, fit, handlers, setViewport } = useViewport(frame, layout);
  const fitted = useRef(false);
  useEffect(() => {
    if (fitted.current || !layout || size.width === 0) return;
    fitted.current = true;
    fit();
  }, [layout, size, fit]);
  // Only what is in view, and a little around it, is in the document.
  const margin = 200;
  const isShown = ({ x, y }: { readonly x: number; readonly y: number }): boolean => {
    const [left, top] = [x * viewport.scale + viewport.x, y * viewport.scale + viewport.y];
    return left > -margin - 240 && left < size.width + margin && top > -margin && top < size.height + margin;
  };
  return (
    <section className="graph card" aria-label={label}>
      <div className="graph-tools">
        <IconButton
          icon="plus"
          label={t.tree.zoomIn}
          onClick={() => zoom(1.25, { x: size.width / 2, y: size.height / 2 })}
        />
        <IconButton
          icon="minus"
          label={t.tree.zoomOut}
          onClick={() => zoom(0.8, { x: size.width / 2, y: size.height / 2 })}
        />
        <IconButton icon="fit" label={t.tree.fit} onClick={fit} />
      </div>
      <div
        ref={frame}
        className="graph-frame"
        {...handlers}
        onScroll={(event) => {
          // Focus scrolls the frame to a node; the viewport moves in its place.
          const { scrollLeft, scrollTop } = event.currentTarget;
          if (scrollLeft === 0 && scrollTop === 0) return;
          event.currentTarget.scrollTo(0, 0);
          setViewport((old) => ({ ...old, x: old.x - scrollLeft, y: old.y - scrollTop }));
        }}
      >
        {!layout && <Loading />}
        {layout && (
          <div
            className="graph-content"
            style={{ transform: `translate(${viewport.x}px, ${viewport.y}px) scale(${viewport.scale})` }}
          >
            <GraphEdges graph={graph} layout={layout} />
            {graph.nodes.map((node) => {
              const place = layout.places.get(node.id);
              if (!place || !isShown(place)) return null;
              return (
                <GraphNodeView key={node.id} node={node} place={place} app={app} onOpen={onOpen} onToggle={onToggle} />
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}
