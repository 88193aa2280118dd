import { useEffect, useMemo, useRef, useState } from 'react';
import type { ApplicationDetail } from '../../api/read-application.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { Loading } from '../../design/loading.tsx';
import { t } from '../../messages/index.ts';
import { GraphEdges } from './graph-edges.tsx';
import { graphOf } from './graph-model.ts';
import { GraphNodeView } from './graph-node.tsx';
import type { TreeItem } from './tree-model.ts';
import { useLayout } from './use-layout.ts';
import { useViewport } from './use-viewport.ts';

interface TreeGraphProps {
  readonly app: ApplicationDetail;
  readonly items: readonly TreeItem[];
  readonly onOpen: (id: string) => void;
}

/** The resource tree as a picture. The list shows the same to screen readers, so the picture is not read twice. */
export function TreeGraph({ app, items, onOpen }: TreeGraphProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const frame = useRef<HTMLDivElement>(null);
  const graph = useMemo(() => graphOf(items, toggled), [items, toggled]);
  const layout = useLayout(graph);
  const { viewport, size, zoom, fit, handlers, setViewport } = useViewport(frame, layout);
  const fitted = useRef(false);
  useEffect(() => {
    if (fitted.current || !layout || size.width === 0) return;
    fitted.current = true;
    fit();
  }, [layout, size, fit]);
  const toggle = (id: string): void => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  // Only what is in view, and a little around it, is in the document.
  const margin = 200;
  const isShown = ({ x, y }: { readonly x: number; readonly y: number }): boolean => {
    const [left, top] = [x * viewport.scale + viewport.x, y * viewport.scale + viewport.y];
    return left > -margin - 240 && left < size.width + margin && top > -margin && top < size.height + margin;
  };
  return (
    <section className="graph card" aria-label={t.tree.label}>
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
                <GraphNodeView key={node.id} node={node} place={place} app={app} onOpen={onOpen} onToggle={toggle} />
              );
            })}
          </div>
        )}
      </div>
    </section>
  );
}
