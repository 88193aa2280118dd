import { at, listAt, numberAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/account.ts';
import { printItem, printItems } from '../../print-items.ts';
import { timeText } from '../project/role.ts';
import { accountOf } from './account-name.ts';

const columns = {
  kind: 'account',
  head: ['NAME', 'ENABLED', 'CAPABILITIES'],
  row: (account: unknown) => [
    textAt(account, 'name'),
    String(at(account, 'enabled') === true),
    listAt(account, 'capabilities').map(String).join(', '),
  ],
  none: 'no accounts that you may see',
};

/** `fairlead account list` */
export const list: Handler<typeof specs.accountList> = (call) =>
  withApi(call, async (api) => {
    const answer = await api.call({ path: '/api/v1/account' });
    printItems(call.terminal, objectsAt(answer, 'items'), call.flags, columns);
    return exitCodes.ok;
  });

/** `fairlead account get` */
export const get: Handler<typeof specs.accountGet> = (call) =>
  withApi(call, async (api) => {
    const name = await accountOf(api, call.flags.account);
    const account = await api.call({ path: rest`/api/v1/account/${name}` });
    const [item = {}] = objectsAt({ items: [account] }, 'items');
    const [, enabled = '', capabilities = ''] = columns.row(item);
    printItem(call.terminal, item, call.flags.output, {
      kind: 'account',
      name,
      lines: [
        ['Name', name],
        ['Enabled', enabled],
        ['Capabilities', capabilities],
        ...objectsAt(item, 'tokens').map((token): [string, string] => [
          'Token',
          `${textAt(token, 'id')}, issued ${timeText(numberAt(token, 'issuedAt'))}, expires ${timeText(numberAt(token, 'expiresAt'))}`,
        ]),
      ],
    });
    return exitCodes.ok;
  });
