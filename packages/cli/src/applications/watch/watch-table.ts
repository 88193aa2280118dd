import { type Application, applicationKind } from '@fairlead/api';
import { aborted, Informer, onAbort, withoutManagedFields } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';
import type { ObjectClient } from '../../backend/backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../command-line/command.ts';
import { tableLines } from '../../table.ts';
import { LiveRegion } from '../../terminal/live-region.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { listApplications } from '../selection/find-application.ts';
import { applicationTable, byName, type TableOptions } from '../tables/application-table.ts';
import { destinationText, healthWord, revisionText, syncWord, whyText } from '../tables/status-text.ts';

export interface WatchOptions {
  readonly selection: { readonly namespace?: string; readonly labelSelector?: string };
  readonly keep: (application: Application) => boolean;
  readonly form: string;
  readonly table: TableOptions;
}

/** Shows Applications until Ctrl-C: a table that is updated in place, or a line for each change. */
export async function watchApplications(
  client: ObjectClient,
  terminal: Terminal,
  options: WatchOptions,
): Promise<number> {
  if (options.form === 'tree')
    throw new CliError('-w cannot be used with -o tree: fairlead app tree shows one Application');
  // A rejected watch reports nothing: a list shows the error.
  await listApplications(client, options.selection);
  const signal = terminal.stopped();
  const informer = new Informer<Application>(client, applicationKind.type, options.selection, {
    transform: withoutManagedFields,
  });
  const shows =
    ['table', 'wide'].includes(options.form) && terminal.live
      ? tableOn(terminal, informer, options, signal)
      : undefined;
  if (!shows) informer.addHandler(linesOn(terminal, options));
  void informer.run(signal);
  await aborted(signal);
  shows?.end();
  return exitCodes.ok;
}

/** Drawn at most every tenth of a second, and every second to update ages. */
function tableOn(
  terminal: Terminal,
  informer: Informer<Application>,
  { keep, table }: WatchOptions,
  signal: AbortSignal,
): LiveRegion {
  const region = new LiveRegion(terminal);
  const draw = (): void => {
    if (signal.aborted) return;
    const shown = informer.list().filter(keep).sort(byName);
    const lines = applicationTable(shown, { ...table, columns: terminal.columns, now: Date.now() });
    region.draw(shown.length === 0 ? ['no Applications yet'] : lines);
  };
  let due: NodeJS.Timeout | undefined;
  const soon = (): void => {
    due ??= setTimeout(() => {
      due = undefined;
      draw();
    }, 100);
  };
  informer.addHandler({ onAdd: soon, onUpdate: soon, onDelete: soon });
  const tick = setInterval(draw, 1_000);
  onAbort(signal, () => {
    clearInterval(tick);
    clearTimeout(due);
  });
  void informer.waitForSync(signal).then(draw, () => {});
  return region;
}

function linesOn(terminal: Terminal, { keep, form, table }: WatchOptions) {
  const line = lineOf(form, table);
  const printed = new Map<string, string>();
  const print = (type: 'ADDED' | 'MODIFIED' | 'DELETED', application: Application): void => {
    const key = application.metadata.uid ?? application.metadata.name;
    // An Application that leaves the filter is printed once more, or the last line would stay wrong.
    if (!keep(application) && !printed.has(key)) return;
    const text = line(type, application);
    if (form !== 'json' && form !== 'yaml' && type !== 'DELETED' && printed.get(key) === text) return;
    if (type === 'DELETED' || !keep(application)) printed.delete(key);
    else printed.set(key, text);
    terminal.write(text);
  };
  return {
    onAdd: (application: Application) => print('ADDED', application),
    onUpdate: (_: Application, application: Application) => print('MODIFIED', application),
    onDelete: (application: Application) => print('DELETED', application),
  };
}

function lineOf(form: string, { namespaces }: TableOptions): (type: string, application: Application) => string {
  if (form === 'json') return (type, object) => `${JSON.stringify({ type, object })}\n`;
  if (form === 'yaml') return (type, object) => `---\n${writeYaml({ type, object })}`;
  if (form === 'name') return (_, { metadata }) => `application/${metadata.name}\n`;
  return (type, application) => {
    const cells = [
      ...(namespaces ? [application.metadata.namespace ?? ''] : []),
      application.metadata.name.padEnd(20),
      (type === 'DELETED' ? 'deleted' : syncWord(application)).padEnd(9),
      healthWord(application).padEnd(11),
      revisionText(application).padEnd(8),
      destinationText(application),
      whyText(application),
    ];
    return `${tableLines([cells])[0]}\n`;
  };
}
