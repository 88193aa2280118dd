import { type AppProject, appProjectKind } from '@fairlead/api';
import { elementAt, toJson } from '@fairlead/apimachinery';
import { listAll } from '@fairlead/kube';
import type { Backend, ObjectClient } from '../../backend/backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../command-line/command.ts';
import { didYouMean } from '../../did-you-mean.ts';
import { controlPlaneNamespace } from '../../install.ts';
import { customOutput, type ListFlags, sorted, withHeader } from '../../output/list-output.ts';
import { table } from '../../table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { printable, printList, printObject } from './print-object.ts';

/** A row of a table. */
interface Named {
  readonly name: string;
}

function chosen<T>(
  all: readonly T[],
  names: readonly string[],
  nameOf: (one: T) => string,
  what: string,
): readonly T[] {
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find((one) => nameOf(one) === name);
    if (found) return found;
    throw new CliError(`${what} ${name} not found${didYouMean(name, all.map(nameOf))}`);
  });
}

export async function projects(
  client: ObjectClient,
  terminal: Terminal,
  names: readonly string[],
  flags: ListFlags,
): Promise<number> {
  const { output: form = 'table' } = flags;
  const { items } = await listAll<AppProject>(client, appProjectKind.type, { namespace: controlPlaneNamespace });
  const shown = sorted(
    chosen(items, names, ({ metadata }) => metadata.name, 'project'),
    flags,
    printable,
  );
  const custom = customOutput(shown.map(printable), flags, names.length === 1);
  if (custom !== undefined) terminal.write(custom);
  else if (form === 'json' || form === 'yaml')
    terminal.write(names.length === 1 ? printObject(elementAt(shown, 0), form) : printList(shown, form));
  else if (form === 'name') for (const { metadata } of shown) terminal.write(`appproject/${metadata.name}\n`);
  else {
    const some = (list: readonly string[] = []): string => (list.length === 0 ? 'none' : list.join(', '));
    const rows = shown.map(({ metadata, spec }) => [
      metadata.name,
      spec.description ?? '',
      some(
        (spec.destinations ?? []).map(({ server, name, namespace }) => `${name || server || ''}/${namespace ?? ''}`),
      ),
      some(spec.sourceRepos),
      String(spec.syncWindows?.length ?? 0),
    ]);
    const head = ['NAME', 'DESCRIPTION', 'DESTINATIONS', 'REPOSITORIES', 'WINDOWS'];
    terminal.write(table(withHeader(head, rows, flags)));
  }
  return exitCodes.ok;
}

export async function clusters(
  backend: Backend,
  terminal: Terminal,
  names: readonly string[],
  flags: ListFlags,
): Promise<number> {
  const all = await backend.clusters();
  return print(
    terminal,
    'cluster',
    chosen(all, names, ({ name }) => name, 'cluster'),
    flags,
  );
}

export async function repositories(
  backend: Backend,
  terminal: Terminal,
  names: readonly string[],
  flags: ListFlags,
): Promise<number> {
  const all = await backend.repositories();
  if (all.length === 0 && ['table', 'wide'].includes(flags.output ?? 'table')) {
    terminal.write('no repository Secrets found; public repositories need none\n');
    return exitCodes.ok;
  }
  return print(
    terminal,
    'repository',
    chosen(all, names, ({ name }) => name, 'repository'),
    flags,
  );
}

function print(terminal: Terminal, kind: string, all: readonly (Named & object)[], flags: ListFlags): number {
  const { output: form = 'table' } = flags;
  const rows = sorted(all, flags, toJson);
  const custom = customOutput(rows.map(toJson), flags);
  if (custom !== undefined) terminal.write(custom);
  else if (form === 'json') terminal.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (form === 'name') for (const { name } of rows) terminal.write(`${kind}/${name}\n`);
  else if (form === 'yaml' || form === 'tree')
    throw new CliError(`-o ${form} is not supported for ${kind}: use table, json or name`);
  else {
    const [first = {}] = rows;
    const head = Object.keys(first).map((name) => name.toUpperCase());
    const cells = rows.map((row) => Object.values(row).map(String));
    terminal.write(table(withHeader(head, cells, flags)));
  }
  return exitCodes.ok;
}
