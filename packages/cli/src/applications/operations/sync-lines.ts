import type { RowState, SyncGroup, SyncRow, SyncView } from '@fairlead/app-controller/explain';
import { type Style, visible } from '../../terminal/style.ts';
import { shortRevision } from '../tables/status-text.ts';

const signs: Readonly<Record<RowState, string>> = { waiting: '·', running: '◐', done: '✔', failed: '✖', skipped: '-' };

/** The whole sync as lines of a live region. Finished groups collapse if there is no room. */
export function syncFrame(title: string, view: SyncView, style: Style, room: number): string[] {
  const to = view.revision === '' ? '' : ` to ${shortRevision(view.revision)}`;
  const head = `${style.strong(title)}  ${view.phase}${to}`;
  const note = view.message === '' ? [] : [`  ${style.faint(visible(view.message))}`];
  const whole = view.groups.flatMap((group) => groupLines(group, style, false));
  const body =
    whole.length + 2 <= room ? whole : view.groups.flatMap((group) => groupLines(group, style, isDone(group)));
  return [head, ...body, ...note];
}

const isDone = ({ rows }: SyncGroup): boolean => rows.every(({ state }) => state === 'done');

const named = ({ phase, wave }: SyncGroup): string => (wave === 0 ? phase : `${phase} wave ${wave}`);

function groupLines(group: SyncGroup, style: Style, folded: boolean): string[] {
  if (folded) return [`  ${style.good('✔')} ${named(group)}  ${style.faint(`${group.rows.length} objects`)}`];
  const width = Math.max(...group.rows.map(({ object }) => object.length));
  return [`  ${style.faint(named(group))}`, ...group.rows.map((row) => `    ${rowLine(row, style, width)}`)];
}

function rowLine({ state, object, says }: SyncRow, style: Style, width: number): string {
  const colour =
    state === 'done' ? style.good : state === 'failed' ? style.bad : state === 'running' ? style.wary : style.faint;
  return `${colour(signs[state])} ${object.padEnd(width)}  ${style.faint(visible(says))}`.trimEnd();
}

/** The lines that are new since the last call, for output that is not a terminal. */
export class SyncLog {
  readonly #printed = new Map<string, string>();
  #phase = '';
  #message = '';

  lines(title: string, view: SyncView): string[] {
    const lines: string[] = [];
    if (view.phase !== this.#phase) {
      const to = view.revision === '' ? '' : ` to ${shortRevision(view.revision)}`;
      if (view.phase === 'Running' || view.phase === 'Terminating') lines.push(`${title}: ${view.phase}${to}`);
      this.#phase = view.phase;
    }
    for (const group of view.groups) {
      for (const row of group.rows) {
        if (row.state === 'waiting') continue;
        const line = `${title}: ${named(group)}  ${row.object}  ${wordOf(row)}${row.says ? `  ${visible(row.says)}` : ''}`;
        if (this.#printed.get(row.key) === line) continue;
        this.#printed.set(row.key, line);
        lines.push(line);
      }
    }
    if (view.message !== this.#message && view.phase === 'Running') lines.push(`${title}: ${visible(view.message)}`);
    this.#message = view.message;
    return lines;
  }
}

const words: Readonly<Record<RowState, string>> = {
  waiting: 'waiting',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
};
const wordOf = ({ state }: SyncRow): string => words[state];
