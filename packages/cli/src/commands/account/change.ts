import { textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { serverFor } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/account.ts';
import { secondsOf } from '../project/role.ts';
import { accountOf } from './account-name.ts';

/** `fairlead account update-password` */
export const updatePassword: Handler<typeof specs.accountUpdatePassword> = (call) =>
  withApi(call, async (api) => {
    const { flags, terminal } = call;
    const name = await accountOf(api, flags.account);
    const { current, next } = await passwords(call, name, serverFor(call) !== undefined);
    const body = { name, currentPassword: current, newPassword: next };
    await api.call({ method: 'PUT', path: '/api/v1/account/password', body });
    terminal.write(
      `${terminal.style.good('✔')} password of ${name} changed: sessions that it has begin again with fairlead login\n`,
    );
    return exitCodes.ok;
  });

async function passwords(
  { flags, terminal }: Call<typeof specs.accountUpdatePassword.flags>,
  name: string,
  isServer: boolean,
): Promise<{ current: string; next: string }> {
  if (flags['password-stdin']) {
    const lines = (await terminal.readInput()).split(/\r?\n/u);
    return isServer ? { current: lines[0] ?? '', next: lines[1] ?? '' } : { current: '', next: lines[0] ?? '' };
  }
  const current = isServer ? (flags['current-password'] ?? (await terminal.askSecret('Your current password: '))) : '';
  const next = flags['new-password'] ?? (await terminal.askSecret(`New password of ${name}: `));
  if (current === undefined || next === undefined)
    throw new CliError('cannot ask for passwords without a terminal: add --password-stdin');
  if (flags['new-password'] === undefined && (await terminal.askSecret('The new password again: ')) !== next)
    throw new CliError('the new passwords differ: nothing was changed');
  return { current, next };
}

/** `fairlead account generate-token` */
export const generateToken: Handler<typeof specs.accountGenerateToken> = (call) =>
  withApi(call, async (api) => {
    const { flags, terminal } = call;
    const name = await accountOf(api, flags.account);
    const body = { name, id: flags.id ?? '', expiresIn: secondsOf(flags['expires-in']) };
    const answer = await api.call({ method: 'POST', path: rest`/api/v1/account/${name}/token`, body });
    terminal.write(`${textAt(answer, 'token')}\n`);
    return exitCodes.ok;
  });

/** `fairlead account delete-token ID` */
export const deleteToken: Handler<typeof specs.accountDeleteToken> = (call) =>
  withApi(call, async (api) => {
    const { flags, terminal, args } = call;
    const name = await accountOf(api, flags.account);
    const [id = ''] = args;
    await api.call({ method: 'DELETE', path: rest`/api/v1/account/${name}/token/${id}` });
    terminal.write(`${terminal.style.good('✔')} token ${id} of ${name} deleted\n`);
    return exitCodes.ok;
  });
