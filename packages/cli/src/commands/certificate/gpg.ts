import { listAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/certificate.ts';
import { printItem, printItems } from '../../print-items.ts';
import { confirmed } from '../../terminal/confirm.ts';
import { inputFrom } from './cert.ts';

const path = '/api/v1/gpgkeys';

/** `fairlead gpg list` */
export const list: Handler<typeof specs.gpgList> = (call) =>
  withApi(call, async (api) => {
    printItems(call.terminal, objectsAt(await api.call({ path }), 'items'), call.flags, {
      kind: 'gpgkey',
      head: ['KEY-ID', 'TYPE', 'OWNER'],
      row: (key) => ['keyID', 'subType', 'owner'].map((field) => textAt(key, field)),
      none: 'no GPG keys are stored',
    });
    return exitCodes.ok;
  });

/** `fairlead gpg get KEY-ID` */
export const get: Handler<typeof specs.gpgGet> = (call) =>
  withApi(call, async (api) => {
    const [id = ''] = call.args;
    const [key = {}] = objectsAt({ items: [await api.call({ path: rest`/api/v1/gpgkeys/${id}` })] }, 'items');
    printItem(call.terminal, key, call.flags.output, {
      kind: 'gpgkey',
      name: textAt(key, 'keyID'),
      lines: [
        ['Key ID', textAt(key, 'keyID')],
        ['Fingerprint', textAt(key, 'fingerprint')],
        ['Type', textAt(key, 'subType')],
        ['Owner', textAt(key, 'owner')],
        ['Trust', textAt(key, 'trust')],
      ],
    });
    return exitCodes.ok;
  });

/** `fairlead gpg add` */
export const add: Handler<typeof specs.gpgAdd> = async (call) => {
  const { flags, terminal } = call;
  const keyData = await inputFrom(terminal, flags.from);
  return withApi(call, async (api) => {
    const answer = await api.call({ method: 'POST', path, body: { keyData } });
    for (const key of objectsAt(answer, 'created', 'items'))
      terminal.write(`✔ key ${textAt(key, 'keyID')} of ${textAt(key, 'owner')} added\n`);
    for (const id of listAt(answer, 'skipped')) terminal.write(`key ${String(id)} is there already\n`);
    return exitCodes.ok;
  });
};

/** `fairlead gpg rm KEY-ID` */
export const remove: Handler<typeof specs.gpgRemove> = async (call) => {
  const { flags, terminal, args } = call;
  const [id = ''] = args;
  if (!(await confirmed(terminal, `Remove key ${id}?`, flags.yes))) return exitCodes.error;
  return withApi(call, async (api) => {
    await api.call({ method: 'DELETE', path, query: { keyID: id } });
    terminal.write(`✔ key ${id} removed\n`);
    return exitCodes.ok;
  });
};
