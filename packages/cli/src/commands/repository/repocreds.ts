import { at, objectsAt, textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/repository.ts';
import { printItems } from '../../print-items.ts';
import { confirmed } from '../../terminal/confirm.ts';
import { credentialsFrom } from './credentials.ts';

/** `fairlead repocreds list` */
export const list: Handler<typeof specs.repocredsList> = (call) =>
  withApi(call, async (api) => {
    const answer = await api.call({ path: '/api/v1/repocreds' });
    printItems(call.terminal, objectsAt(answer, 'items'), call.flags, {
      kind: 'repocreds',
      head: ['URL', 'USERNAME', 'TYPE', 'OCI'],
      row: (one) => [
        textAt(one, 'url'),
        textAt(one, 'username'),
        textAt(one, 'type') || 'git',
        String(at(one, 'enableOCI') === true),
      ],
      none: 'no credentials are stored',
    });
    return exitCodes.ok;
  });

/** `fairlead repocreds add URL` */
export const add: Handler<typeof specs.repocredsAdd> = async (call) => {
  const { flags, args, terminal } = call;
  const [url = ''] = args;
  const body = { url, ...(await credentialsFrom(call)) };
  return withApi(call, async (api) => {
    await api.call({ method: 'POST', path: '/api/v1/repocreds', query: { upsert: flags.upsert }, body });
    terminal.write(`${terminal.style.good('✔')} credentials for ${url} added\n`);
    return exitCodes.ok;
  });
};

/** `fairlead repocreds rm URL…` */
export const remove: Handler<typeof specs.repocredsRemove> = async (call) => {
  const { flags, args, terminal } = call;
  if (!(await confirmed(terminal, `Remove the credentials for ${args.join(', ')}?`, flags.yes))) return exitCodes.error;
  return withApi(call, async (api) => {
    for (const url of args) {
      await api.call({ method: 'DELETE', path: rest`/api/v1/repocreds/${url}` });
      terminal.write(`${terminal.style.good('✔')} credentials for ${url} removed\n`);
    }
    return exitCodes.ok;
  });
};
