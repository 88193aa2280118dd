import type { ApplicationSummary } from '@fairlead/client';
import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { t } from '../messages/index.ts';
import { FleetRow } from './fleet-row.tsx';
import { FleetTableHead } from './fleet-table-head.tsx';
import type { FleetSearch } from './search.ts';
import { isSelected, type Selection } from './selection.ts';
import { useRowKeys } from './use-row-keys.ts';

interface FleetTableProps {
  readonly items: readonly ApplicationSummary[];
  readonly total: number;
  readonly search: FleetSearch;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** The same function at each rendering, so that rows that have not changed are not rendered. */
  readonly onToggle: (item: ApplicationSummary) => void;
  readonly onChange: (search: FleetSearch) => void;
  readonly onEnd: () => void;
}

export const rowHeight = 52;

/** Only the rows in view are in the document. */
export function FleetTable({ items, total, search, selection, onSelect, onToggle, onChange, onEnd }: FleetTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(-1);
  const navigate = useNavigate();
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 40) onEnd();
  }, [last, items.length, onEnd]);
  useRowKeys({
    move: (step) => {
      const next = Math.max(0, Math.min(items.length - 1, active + step));
      setActive(next);
      rows.scrollToIndex(next);
    },
    open: () => {
      const item = items[active];
      if (!item) return;
      const { namespace, name } = item;
      void navigate({ to: '/applications/$namespace/$name', params: { namespace, name }, search: {} });
    },
    select: () => {
      const item = items[active];
      if (item) onToggle(item);
    },
  });
  return (
    <div
      className="fleet-table card"
      ref={scroller}
      tabIndex={0}
      role="table"
      aria-label={t.fleet.title}
      aria-rowcount={total + 1}
    >
      <FleetTableHead search={search} selection={selection} onSelect={onSelect} onChange={onChange} />
      <div className="fleet-rows" role="rowgroup" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <FleetRow
              key={item.uid}
              item={item}
              place={index}
              top={start}
              isActive={index === active}
              isSelected={isSelected(selection, item.uid)}
              onToggle={onToggle}
            />
          );
        })}
      </div>
    </div>
  );
}
