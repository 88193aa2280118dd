import { type Application, applicationKind } from '@fairlead/api';
import { aborted, type HttpClient, Informer, onAbort, withoutManagedFields } from '@fairlead/kube';
import { writeYaml } from '@fairlead/render/go-yaml';
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
  readonly look: TableOptions;
}

/** Shows Applications until the user has seen enough: a table that is drawn anew, or a line for each change. */
export async function watchApplications(
  client: HttpClient,
  terminal: Terminal,
  options: WatchOptions,
): Promise<number> {
  if (options.form === 'tree')
    throw new CliError('-w does not go with -o tree: fairlead app tree shows one Application');
  // A watch that may never begin says nothing: what is wrong shows in a list.
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

/** Drawn at most every tenth of a second, and every second anew for the ages. */
function tableOn(
  terminal: Terminal,
  informer: Informer<Application>,
  { keep, look }: WatchOptions,
  signal: AbortSignal,
): LiveRegion {
  const region = new LiveRegion(terminal);
  const draw = (): void => {
    if (signal.aborted) return;
    const shown = informer.list().filter(keep).sort(byName);
    const lines = applicationTable(shown, { ...look, columns: terminal.columns, now: Date.now() });
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

function linesOn(terminal: Terminal, { keep, form, look }: WatchOptions) {
  const line = lineOf(form, look);
  const told = new Map<string, string>();
  const tell = (type: 'ADDED' | 'MODIFIED' | 'DELETED', application: Application): void => {
    const key = application.metadata.uid ?? application.metadata.name;
    // Who leaves the filter is told of once more: a reader would go on believing the last line.
    if (!keep(application) && !told.has(key)) return;
    const text = line(type, application);
    if (form !== 'json' && form !== 'yaml' && type !== 'DELETED' && told.get(key) === text) return;
    if (type === 'DELETED' || !keep(application)) told.delete(key);
    else told.set(key, text);
    terminal.write(text);
  };
  return {
    onAdd: (application: Application) => tell('ADDED', application),
    onUpdate: (_: Application, application: Application) => tell('MODIFIED', application),
    onDelete: (application: Application) => tell('DELETED', application),
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
