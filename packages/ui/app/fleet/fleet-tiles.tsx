import type { ApplicationSummary } from '@fairlead/client';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Age } from '../design/age.tsx';
import { Icon } from '../design/icon.tsx';
import { Status } from '../design/status.tsx';
import { appearanceOf } from '../design/status-shapes.tsx';
import { shortRevision } from '../lib/revision.ts';
import { t } from '../messages/index.ts';

interface FleetTilesProps {
  readonly items: readonly ApplicationSummary[];
  readonly onEnd: () => void;
}

const tileWidth = 290;
const tileHeight = 176;

/** A card per Application; only the rows in view are in the document. */
export function FleetTiles({ items, onEnd }: FleetTilesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(3);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setColumns(Math.max(1, Math.floor(element.clientWidth / tileWidth))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const rows = useVirtualizer({
    count: Math.ceil(items.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => tileHeight,
    overscan: 4,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if ((last + 6) * columns >= items.length) onEnd();
  }, [last, columns, items.length, onEnd]);
  return (
    <section className="fleet-tiles" ref={scroller} tabIndex={0} aria-label={t.fleet.tiles}>
      <div className="tile-rows" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => (
          <ul
            key={index}
            className="tile-row"
            style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {items.slice(index * columns, (index + 1) * columns).map((item) => (
              <Tile key={item.uid} item={item} />
            ))}
          </ul>
        ))}
      </div>
    </section>
  );
}

function Tile({ item }: { readonly item: ApplicationSummary }) {
  const { namespace, name, project, cluster, sync, health, revision, reason, destinationNamespace } = item;
  const tone = appearanceOf(health === 'Healthy' && sync !== 'Synced' ? sync : health).tone;
  return (
    <li className={`tile card edge-${tone}`}>
      <Link to="/applications/$namespace/$name" params={{ namespace, name }} search={{}} className="app-link truncate">
        {name}
      </Link>
      <div className="row">
        <Status status={health} />
        <Status status={sync} />
      </div>
      <p className="small muted tile-reason">{reason ?? `${project} → ${cluster}/${destinationNamespace}`}</p>
      <div className="row small muted">
        <Icon name="commit" size={12} />
        <span className="mono truncate">{revision === '' ? '–' : shortRevision(revision)}</span>
        <span className="spread" />
        <Age time={item.reconciledAt} />
      </div>
    </li>
  );
}
