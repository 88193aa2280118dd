import type { Heatmap } from '@fairlead/client';
import { appearanceOf } from '../design/status-shapes.tsx';

export interface Cell {
  /** NAMESPACE/NAME */
  readonly key: string;
  readonly sync: string;
  readonly health: string;
}

/** With the gap. */
export const cellSize = 16;
const gap = 3;

const order = ['Degraded', 'Missing', 'Unknown', 'Progressing', 'Suspended', 'Healthy'];
const rank = ({ health, sync }: Cell): number => order.indexOf(health) * 2 + (sync === 'Synced' ? 1 : 0);

/** The worst first, then by name. */
export function arrange({ names, states }: Heatmap['groups'][number], legend: Heatmap['legend']): readonly Cell[] {
  const cells = names.map((key, place) => {
    const { sync = 'Unknown', health = 'Unknown' } = legend[states[place] ?? ''] ?? {};
    return { key, sync, health };
  });
  return cells.sort((a, b) => rank(a) - rank(b) || a.key.localeCompare(b.key));
}

export const columnsFor = (width: number): number => Math.max(1, Math.floor(width / cellSize));

export const cellAt = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }, columns: number): number => {
  const column = Math.floor(offsetX / cellSize);
  return column >= columns ? -1 : Math.floor(offsetY / cellSize) * columns + column;
};

/** Health by colour; a diagonal cut for what is not Synced, so that it is also visible without colours. */
export function drawCells(canvas: HTMLCanvasElement, cells: readonly Cell[], columns: number, _theme: string): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const scale = window.devicePixelRatio || 1;
  const style = getComputedStyle(canvas);
  const colours = new Map(
    ['ok', 'working', 'warn', 'bad', 'idle', 'purple'].map((tone) => [tone, style.getPropertyValue(`--fill-${tone}`)]),
  );
  const [width, height] = [columns * cellSize, Math.ceil(cells.length / columns) * cellSize];
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.width = `${width}px`;
  context.scale(scale, scale);
  const side = cellSize - gap;
  for (const [place, { health, sync }] of cells.entries()) {
    const [x, y] = [(place % columns) * cellSize, Math.floor(place / columns) * cellSize];
    context.fillStyle = colours.get(appearanceOf(health).tone) ?? '';
    context.beginPath();
    if (health === 'Healthy' && sync === 'Synced') context.roundRect(x, y, side, side, 3);
    else if (health === 'Healthy') cutSquare(context, x, y, side);
    else context.roundRect(x, y, side, side, health === 'Progressing' ? side / 2 : 0);
    context.fill();
    if (sync === 'Synced') continue;
    context.fillStyle = style.getPropertyValue('--surface');
    context.beginPath();
    context.moveTo(x + side, y + side);
    context.lineTo(x + side - 7, y + side);
    context.lineTo(x + side, y + side - 7);
    context.fill();
  }
}

function cutSquare(context: CanvasRenderingContext2D, x: number, y: number, side: number): void {
  context.moveTo(x, y);
  context.lineTo(x + side, y);
  context.lineTo(x + side, y + side - 9);
  context.lineTo(x + side - 9, y + side);
  context.lineTo(x, y + side);
}
