import type { Heatmap } from '@fairlead/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { appearanceOf } from '../design/status-shapes.tsx';
import { useTheme } from '../design/theme.ts';
import { t } from '../messages/index.ts';
import { arrange, cellAt, cellSize, columnsFor, drawCells } from './heatmap-canvas.ts';

interface HeatmapGroupProps {
  readonly group: Heatmap['groups'][number];
  readonly legend: Heatmap['legend'];
}

/** A canvas: thousands of elements would be slow. The summary is text, and the table has every Application. */
export function HeatmapGroup({ group, legend }: HeatmapGroupProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hovered, setHovered] = useState<string>();
  const theme = useTheme();
  const navigate = useNavigate();
  const cells = useMemo(() => arrange(group, legend), [group, legend]);
  const columns = columnsFor(width);
  useEffect(() => {
    const parent = canvas.current?.parentElement;
    if (!parent) return;
    const observer = new ResizeObserver(() => setWidth(parent.clientWidth));
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && width > 0) drawCells(canvas.current, cells, columns, theme);
  }, [cells, columns, width, theme]);
  const counts = Object.entries(Object.groupBy(cells, ({ health }) => health)).map(([health, of]) => ({
    health,
    number: of?.length ?? 0,
  }));
  const title = group.name === '' ? t.fleet.noValue : group.name;
  const summary = `${title}: ${counts.map(({ health, number }) => `${number} ${health}`).join(', ')}`;
  return (
    <section className="heatmap-group card" aria-label={title}>
      <header className="row">
        <h3 className="truncate">{title}</h3>
        <span className="spread" />
        {counts
          .filter(({ health }) => health !== 'Healthy')
          .map(({ health, number }) => (
            <span key={health} className={`small tone-${appearanceOf(health).tone}`}>
              {number} {health}
            </span>
          ))}
        <span className="small muted">{cells.length}</span>
      </header>
      <div className="heatmap-cells">
        <canvas
          ref={canvas}
          role="img"
          aria-label={summary}
          title={hovered}
          onMouseMove={(event) => {
            const cell = cells[cellAt(event.nativeEvent, columns)];
            setHovered(cell && `${cell.key}: ${cell.health}, ${cell.sync}`);
          }}
          onClick={(event) => {
            const cell = cells[cellAt(event.nativeEvent, columns)];
            if (!cell) return;
            const [namespace = '', name = ''] = cell.key.split('/');
            void navigate({ to: '/applications/$namespace/$name', params: { namespace, name }, search: {} });
          }}
          style={{ height: Math.ceil(cells.length / columns) * cellSize }}
        />
      </div>
    </section>
  );
}
