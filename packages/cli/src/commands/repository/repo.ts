import { at, type JsonObject, objectAt, objectsAt, textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { visibleOnly } from '../../api-server/visible-only.ts';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/repository.ts';
import { printItem, printItems } from '../../print-items.ts';
import { confirmed } from '../../terminal/confirm.ts';
import { visible } from '../../terminal/style.ts';
import { credentialsFrom } from './credentials.ts';

const word = (item: JsonObject, field: string): string => String(at(item, field) === true);
const stateOf = (item: JsonObject): string => textAt(item, 'connectionState', 'status');
const messageOf = (item: JsonObject): string => visible(textAt(item, 'connectionState', 'message'));

/** `fairlead repo list` */
export const list: Handler<typeof specs.repoList> = (call) =>
  withApi(call, async (api) => {
    const answer = await api.call({ path: '/api/v1/repositories' });
    printItems(call.terminal, objectsAt(answer, 'items').map(withoutTime), call.flags, {
      kind: 'repository',
      head: ['TYPE', 'NAME', 'REPO', 'INSECURE', 'OCI', 'LFS', 'INHERITED', 'STATUS', 'MESSAGE', 'PROJECT'],
      row: (one) => [
        textAt(one, 'type'),
        textAt(one, 'name'),
        textAt(one, 'repo'),
        word(one, 'insecure'),
        word(one, 'enableOCI'),
        word(one, 'enableLfs'),
        word(one, 'inheritedCreds'),
        stateOf(one),
        messageOf(one),
        textAt(one, 'project'),
      ],
      name: (one) => textAt(one, 'repo'),
      none: 'no repositories are stored; public ones need no entry',
    });
    return exitCodes.ok;
  });

/** When the connection was tested differs between replicas. */
function withoutTime(item: JsonObject): JsonObject {
  const state = objectAt(item, 'connectionState');
  if (!state) return item;
  const { attemptedAt: _, ...rest } = state;
  return { ...item, connectionState: rest };
}

/** `fairlead repo get URL` */
export const get: Handler<typeof specs.repoGet> = (call) =>
  withApi(call, async (api) => {
    const [url = ''] = call.args;
    const query = { appProject: call.flags.project, forceRefresh: call.flags.refresh };
    const answer = await visibleOnly(
      `repository ${url}`,
      'fairlead repo list',
      api.call({ path: rest`/api/v1/repositories/${url}`, query }),
    );
    const [one = {}] = objectsAt({ items: [answer] }, 'items').map(withoutTime);
    printItem(call.terminal, one, call.flags.output, {
      kind: 'repository',
      name: url,
      lines: [
        ['Repository', textAt(one, 'repo')],
        ['Type', textAt(one, 'type')],
        ['Name', textAt(one, 'name')],
        ['Project', textAt(one, 'project')],
        ['Username', textAt(one, 'username')],
        ['Insecure', word(one, 'insecure')],
        ['Status', stateOf(one)],
        ['Message', messageOf(one)],
      ],
    });
    return exitCodes.ok;
  });

/** `fairlead repo add URL` */
export const add: Handler<typeof specs.repoAdd> = async (call) => {
  const { flags, args, terminal } = call;
  const [url = ''] = args;
  const repository = {
    repo: url,
    ...(await credentialsFrom(call)),
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.project === undefined ? {} : { project: flags.project }),
    ...(flags['insecure-skip-server-verification'] ? { insecure: true } : {}),
    ...(flags['enable-lfs'] ? { enableLfs: true } : {}),
    ...(flags.depth === undefined ? {} : { depth: readNumber('depth', flags.depth) }),
  };
  return withApi(call, async (api) => {
    const query = { upsert: flags.upsert };
    await api.call({ method: 'POST', path: '/api/v1/repositories', query, body: repository });
    terminal.write(`${terminal.style.good('✔')} repository ${url} added\n`);
    return exitCodes.ok;
  });
};

/** `fairlead repo rm URL…` */
export const remove: Handler<typeof specs.repoRemove> = async (call) => {
  const { flags, args, terminal } = call;
  if (!(await confirmed(terminal, `Remove ${args.join(', ')}?`, flags.yes))) return exitCodes.error;
  return withApi(call, async (api) => {
    for (const url of args) {
      const query = { appProject: flags.project };
      const call = api.call({ method: 'DELETE', path: rest`/api/v1/repositories/${url}`, query });
      await visibleOnly(`repository ${url}`, 'fairlead repo list', call);
      terminal.write(`${terminal.style.good('✔')} repository ${url} removed\n`);
    }
    return exitCodes.ok;
  });
};
