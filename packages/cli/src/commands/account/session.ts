import { listAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { type CallApi, rest } from '../../api-server/rest-api.ts';
import { withServer } from '../../api-server/with-server.ts';
import { type BackendCall, serverFor } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/account.ts';
import { printItem } from '../../print-items.ts';

/** A kubeconfig has no account on the API server. */
function withSession<T>(call: BackendCall, work: (api: CallApi) => Promise<T>): Promise<T> {
  const access = serverFor(call);
  if (access) return withServer(access, work);
  throw new CliError(
    'this is about your account on an API server: sign in with fairlead login SERVER, or name a server with --server',
  );
}

/** `fairlead account can-i ACTION RESOURCE OBJECT` */
export const canI: Handler<typeof specs.accountCanI> = (call) =>
  withSession(call, async (api) => {
    const [action = '', resource = '', object = ''] = call.args;
    const path = `${rest`/api/v1/account/can-i/${resource}/${action}/`}${object.split('/').map(encodeURIComponent).join('/')}`;
    call.terminal.write(`${textAt(await api.call({ path }), 'value')}\n`);
    return exitCodes.ok;
  });

/** `fairlead account get-user-info` */
export const userInfo: Handler<typeof specs.accountInfo> = (call) =>
  withSession(call, async (api) => {
    const [user = {}] = objectsAt({ items: [await api.call({ path: '/api/v1/session/userinfo' })] }, 'items');
    const username = textAt(user, 'username');
    if (user['loggedIn'] !== true)
      throw new CliError('you are not signed in: run fairlead login SERVER, or set FAIRLEAD_AUTH_TOKEN');
    printItem(call.terminal, user, call.flags.output, {
      kind: 'user',
      name: username,
      lines: [
        ['Username', username],
        ['Issuer', textAt(user, 'iss')],
        ['Groups', listAt(user, 'groups').map(String).join(', ')],
      ],
    });
    return exitCodes.ok;
  });
