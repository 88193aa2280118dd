import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type { notificationsService } from '../../command-line/specs/notifications.ts';
import { chosen } from '../../notifications/print.ts';
import { readConfig } from '../../notifications/read-config.ts';
import { table } from '../../table.ts';

/** `fairlead notifications service get` */
export const run: Handler<typeof notificationsService> = async (call) => {
  const [verb, name] = call.args;
  if (verb !== 'get') throw new CliError(`unknown command notifications service ${verb}: use get`);
  const { services } = await readConfig(call);
  const rows = chosen(services, name).map(([key, entry]) => [
    key,
    entry.type,
    'problem' in entry ? entry.problem : 'ok',
  ]);
  call.terminal.write(table([['NAME', 'TYPE', 'STATUS'], ...rows]));
  return exitCodes.ok;
};
