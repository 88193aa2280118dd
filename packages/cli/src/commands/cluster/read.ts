import { type JsonObject, listAt, numberAt, objectAt, objectsAt, stringsAt, textAt } from '@fairlead/apimachinery';
import { rest } from '../../api-server/rest-api.ts';
import { visibleOnly } from '../../api-server/visible-only.ts';
import { withApi } from '../../backend/with-api.ts';
import { exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/cluster.ts';
import { printItem, printItems } from '../../print-items.ts';
import { confirmed } from '../../terminal/confirm.ts';
import { visible } from '../../terminal/style.ts';

/** An address has a scheme; anything else is a name. */
export const clusterPath = (cluster: string) => ({
  path: rest`/api/v1/clusters/${cluster}`,
  query: cluster.includes('://') ? {} : { 'id.type': 'name' },
});

const stateOf = (one: JsonObject, field: string): string => textAt(one, 'info', 'connectionState', field);

/** Times of connections and caches differ between replicas. */
function withoutTimes(one: JsonObject): JsonObject {
  const { connectionState: _, info = {}, ...cluster } = one;
  const { attemptedAt: __, ...state } = objectAt(info, 'connectionState') ?? {};
  const { cacheInfo: ___, connectionState: ____, ...rest } = objectAt({ info }, 'info') ?? {};
  return { ...cluster, info: { ...rest, connectionState: state } };
}

/** `fairlead cluster list` */
export const list: Handler<typeof specs.clusterList> = (call) =>
  withApi(call, async (api) => {
    const answer = await api.call({ path: '/api/v1/clusters' });
    printItems(call.terminal, objectsAt(answer, 'items').map(withoutTimes), call.flags, {
      kind: 'cluster',
      head: ['SERVER', 'NAME', 'VERSION', 'STATUS', 'MESSAGE', 'PROJECT'],
      row: (one) => [
        textAt(one, 'server'),
        textAt(one, 'name'),
        textAt(one, 'info', 'serverVersion'),
        stateOf(one, 'status'),
        visible(stateOf(one, 'message')),
        textAt(one, 'project'),
      ],
      name: (one) => textAt(one, 'name') || textAt(one, 'server'),
      none: 'no clusters that you may see',
    });
    return exitCodes.ok;
  });

/** `fairlead cluster get CLUSTER` */
export const get: Handler<typeof specs.clusterGet> = (call) =>
  withApi(call, async (api) => {
    const [cluster = ''] = call.args;
    const answer = await visibleOnly(`cluster ${cluster}`, 'fairlead cluster list', api.call(clusterPath(cluster)));
    const [one = {}] = objectsAt({ items: [answer] }, 'items').map(withoutTimes);
    const pairs = (field: string): string =>
      Object.entries(stringsAt(one, field))
        .map(([name, value]) => `${name}=${value}`)
        .join(', ');
    printItem(call.terminal, one, call.flags.output, {
      kind: 'cluster',
      name: textAt(one, 'name'),
      lines: [
        ['Server', textAt(one, 'server')],
        ['Name', textAt(one, 'name')],
        ['Version', textAt(one, 'info', 'serverVersion')],
        ['Status', stateOf(one, 'status')],
        ['Message', visible(stateOf(one, 'message'))],
        ['Applications', String(numberAt(one, 'info', 'applicationsCount'))],
        ['Namespaces', listAt(one, 'namespaces').map(String).join(', ') || 'all'],
        ['Project', textAt(one, 'project')],
        ['Labels', pairs('labels')],
        ['Annotations', pairs('annotations')],
      ],
    });
    return exitCodes.ok;
  });

/** `fairlead cluster rm CLUSTER…` */
export const remove: Handler<typeof specs.clusterRemove> = async (call) => {
  const { flags, args, terminal } = call;
  if (!(await confirmed(terminal, `Remove ${args.join(', ')}? What is deployed there stays.`, flags.yes)))
    return exitCodes.error;
  return withApi(call, async (api) => {
    for (const cluster of args) {
      const call = api.call({ method: 'DELETE', ...clusterPath(cluster) });
      await visibleOnly(`cluster ${cluster}`, 'fairlead cluster list', call);
      terminal.write(`${terminal.style.good('✔')} cluster ${cluster} removed\n`);
    }
    return exitCodes.ok;
  });
};
