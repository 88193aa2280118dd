import { ContextsFile } from '../../api-server/contexts-file.ts';
import { contextNamed } from '../../api-server/find-server.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { context } from '../../command-line/specs/session.ts';
import { table } from '../../table.ts';

/** `fairlead context [NAME]` */
export const run: Handler<typeof context> = async ({ flags, args, terminal, environment }) => {
  const file = ContextsFile.read(environment);
  const [name] = args;
  if (name === undefined) {
    if (flags.delete) throw new CliError('missing argument: name the context to delete');
    terminal.write(listed(file, flags.output ?? 'table'));
    return exitCodes.ok;
  }
  const chosen = contextNamed(file, name);
  if (flags.delete) {
    file.remove(chosen);
    terminal.write(`context ${name} deleted\n`);
  } else {
    file.use(name);
    terminal.write(`context ${name} is now current\n`);
  }
  return exitCodes.ok;
};

function listed(file: ContextsFile, form: string): string {
  const rows = file.contexts.map(({ name, server }) => ({ current: name === file.current, name, server }));
  if (form === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  if (form === 'name') return rows.map(({ name }) => `${name}\n`).join('');
  if (rows.length === 0) return `no contexts in ${file.path}: fairlead login SERVER adds one\n`;
  const cells = rows.map(({ current, name, server }) => [current ? '*' : '', name, server]);
  return table([['CURRENT', 'NAME', 'SERVER'], ...cells]);
}
