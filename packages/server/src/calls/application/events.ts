import { textAt } from '@fairlead/apimachinery';
import { listEvents } from '../../events/list-events.ts';
import { withLive } from '../../live/application-state.ts';
import { treeOfLive } from '../../live/application-tree.ts';
import type { Calls } from '../../rpc/call.ts';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';
import { actingLive, findCompared } from './resources.ts';

export const eventCalls = (server: Server): Calls => ({
  'Application.ListResourceEvents': async (context, request) => {
    const [name, uid] = [textAt(request, 'resourceName'), textAt(request, 'resourceUID')];
    if (name === '' && uid === '') {
      const { application } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
      const { metadata } = application;
      const namespace = metadata.namespace ?? '';
      return listEvents(server.state.client, namespace, { namespace, name: metadata.name, uid: metadata.uid ?? '' });
    }
    const namespace = textAt(request, 'resourceNamespace');
    const found = await findCompared(server, context, request);
    return withLive(server, found, { signal: context.signal, purpose: 'resource' }, async (live) => {
      const tree = live && (await treeOfLive(server, live));
      const isPart = [...(tree?.nodes ?? []), ...(tree?.orphanedNodes ?? [])].some(
        (node) => (node.uid ?? '') === uid && node.name === name && (node.namespace ?? '') === namespace,
      );
      if (!live || !isPart)
        throw invalidArgument(`${name} not found as part of application ${textAt(request, 'name')}`);
      return listEvents(actingLive(live).lease.cluster.client, namespace, { name, namespace, uid });
    });
  },
});
