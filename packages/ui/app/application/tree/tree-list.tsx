import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { Age } from '../../design/age.tsx';
import { Icon } from '../../design/icon.tsx';
import { Status } from '../../design/status.tsx';
import { t } from '../../messages/index.ts';
import { infoText } from './graph-node.tsx';
import { KindBadge } from './kind-badge.tsx';
import type { TreeItem } from './tree-model.ts';

interface TreeListProps {
  readonly items: readonly TreeItem[];
  readonly onOpen: (id: string) => void;
}

interface Row {
  readonly item: TreeItem;
  readonly depth: number;
}

const rowHeight = 40;

/** The same tree as a list: for the keyboard, screen readers and small screens. */
export function TreeList({ items, onOpen }: TreeListProps) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const rows = rowsOf(items, collapsed, 0);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 15,
  });
  const toggle = (id: string): void => {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    setCollapsed(next);
  };
  return (
    <div
      className="tree-list card"
      ref={scroller}
      role="treegrid"
      aria-label={t.tree.label}
      aria-rowcount={rows.length}
    >
      <div className="tree-list-rows" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { item, depth } = row;
          const isOpen = !collapsed.has(item.id);
          return (
            <div
              key={item.id}
              role="row"
              aria-rowindex={index + 1}
              aria-level={depth + 1}
              aria-expanded={item.children.length > 0 ? isOpen : undefined}
              className="tree-list-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <span role="gridcell" className="tree-name" style={{ paddingLeft: depth * 20 }}>
                {item.children.length > 0 ? (
                  <button
                    type="button"
                    className="tree-toggle"
                    aria-label={isOpen ? t.tree.collapseNode(item.name) : t.tree.expandNode(item.name)}
                    onClick={() => toggle(item.id)}
                  >
                    <Icon name={isOpen ? 'down' : 'chevron'} size={12} />
                  </button>
                ) : (
                  <span className="tree-toggle" />
                )}
                <KindBadge kind={item.kind} />
                <button type="button" className="link-button truncate" onClick={() => onOpen(item.id)}>
                  {item.name}
                </button>
                <span className="muted small">{item.kind}</span>
              </span>
              <span role="gridcell">{item.health !== '' && <Status status={item.health} />}</span>
              <span role="gridcell">{item.sync !== '' && <Status status={item.sync} />}</span>
              <span role="gridcell" className="muted small truncate" title={item.healthMessage}>
                {item.healthMessage || infoText(item)}
              </span>
              <span role="gridcell" className="muted small">
                {item.createdAt !== '' && <Age time={item.createdAt} />}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

const rowsOf = (items: readonly TreeItem[], collapsed: ReadonlySet<string>, depth: number): readonly Row[] =>
  items.flatMap((item) => [
    { item, depth },
    ...(collapsed.has(item.id) ? [] : rowsOf(item.children, collapsed, depth + 1)),
  ]);
