import type { NodePullStatus, PrePullImage } from '@fairlead/api';
import { parseDuration } from '@fairlead/apimachinery';
import { ageOf, formatAge } from '../duration.ts';
import { tableLines } from '../table.ts';
import { type Style, visible } from '../terminal/style.ts';

export const nameOf = ({ metadata }: PrePullImage): string => `${metadata.namespace}/${metadata.name}`;

export const isFinished = ({ status }: PrePullImage): boolean =>
  status?.phase === 'Completed' || status?.phase === 'Failed';

const stateOf = (phase: string, style: Style): string =>
  (phase === 'Completed' ? style.good : phase === 'Failed' ? style.bad : style.wary)(phase);

/** The message of its condition, if it says more than the phase. */
export const whyOf = ({ status }: PrePullImage): string => {
  const condition = status?.conditions?.[0];
  return !condition || condition.status === 'True' ? '' : visible(condition.message);
};

export function imageTable(images: readonly PrePullImage[], style: Style, now: number): string[] {
  const rows = images.map((image) => {
    const { total = 0, completed = 0 } = image.status?.summary ?? {};
    return [
      image.metadata.namespace ?? '',
      image.metadata.name,
      visible(image.spec?.image ?? ''),
      stateOf(image.status?.phase ?? 'Pending', style),
      `${completed}/${total}`,
      ageOf(image.metadata.creationTimestamp, now),
      style.faint(whyOf(image)),
    ];
  });
  return tableLines([['NAMESPACE', 'NAME', 'IMAGE', 'PHASE', 'NODES', 'AGE', 'WHY'], ...rows]);
}

const width = 20;
const signs = { Completed: '✔', Failed: '✖', Pulling: '◐', Pending: '·' } as const;

/**
 * A line for each node. A kubelet does not report the progress of a pull, so the bar is an estimate from the time that other nodes took,
 * and is full only when the image is there.
 */
export function nodeLines(image: PrePullImage, style: Style, room: number, now: number): string[] {
  const nodes = [...(image.status?.nodeStatus ?? [])].sort((a, b) => rank(a) - rank(b));
  const averageMs = averageOf(nodes);
  const { total = 0, completed = 0, failed = 0 } = image.status?.summary ?? {};
  const head = `${style.strong(nameOf(image))}  ${visible(image.spec?.image ?? '')}  ${stateOf(image.status?.phase ?? 'Pending', style)}  ${completed} of ${total} nodes${failed > 0 ? `, ${failed} failed` : ''}`;
  const fitting = nodes.slice(0, Math.max(1, room - 2));
  const widest = Math.max(0, ...fitting.map(({ node }) => node.length));
  const lines = fitting.map((node) => nodeLine(node, widest, averageMs, style, now));
  const rest = nodes.length - fitting.length;
  return [head, ...lines, ...(rest > 0 ? [style.faint(`  … and ${rest} more nodes`)] : [])];
}

/** Problems first. */
const rank = ({ status }: NodePullStatus): number => ['Failed', 'Pulling', 'Pending', 'Completed'].indexOf(status);

function nodeLine(node: NodePullStatus, widest: number, averageMs: number, style: Style, now: number): string {
  const { status, startedAt, duration, error } = node;
  const elapsedMs = startedAt ? Math.max(0, now - Date.parse(startedAt)) : 0;
  const share = status === 'Completed' ? 1 : status === 'Pulling' ? Math.min(0.95, elapsedMs / averageMs) : 0;
  const filled = Math.round(share * width);
  const colour = status === 'Completed' ? style.good : status === 'Failed' ? style.bad : style.wary;
  const bar = `${colour('█'.repeat(filled))}${style.faint('░'.repeat(width - filled))}`;
  const took = duration ?? (status === 'Pulling' ? formatAge(elapsedMs) : status === 'Completed' ? 'present' : '');
  const why = error ? `  ${style.faint(visible(error))}` : '';
  return `  ${colour(signs[status])} ${node.node.padEnd(widest)}  ${bar}  ${took}${why}`.trimEnd();
}

/** How long finished pulls took; half a minute if there are none. */
function averageOf(nodes: readonly NodePullStatus[]): number {
  const times = nodes.flatMap(({ status, duration }) =>
    status === 'Completed' && duration ? [parseDuration(duration) ?? 0] : [],
  );
  return times.length === 0 ? 30_000 : Math.max(1000, times.reduce((sum, ms) => sum + ms, 0) / times.length);
}

/** The changes on each node since the last call, for output that is not a terminal. */
export class NodeLog {
  readonly #printed = new Map<string, string>();

  lines({ status }: PrePullImage): string[] {
    return (status?.nodeStatus ?? []).flatMap((node) => {
      const text = [node.status, node.duration, node.error && visible(node.error)].filter(Boolean).join('  ');
      if (node.status === 'Pending' && !node.error) return [];
      if (this.#printed.get(node.node) === text) return [];
      this.#printed.set(node.node, text);
      return [`${node.node}: ${text}`];
    });
  }
}
