import { textAt } from '@fairlead/apimachinery';
import { listEvents } from '../../events/list-events.ts';
import type { Calls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';

export const eventCalls = (server: Server): Calls => ({
  'Application.ListResourceEvents': async (context, request) => {
    const { application } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const { namespace = '', name = '', uid = '' } = application.metadata;
    const [resource, resourceUid] = [textAt(request, 'resourceName'), textAt(request, 'resourceUID')];
    if (resource === '' && resourceUid === '')
      return listEvents(server.state.client, namespace, { name, namespace, uid });
    const there = textAt(request, 'resourceNamespace');
    return listEvents(server.state.client, there, { name: resource, namespace: there, uid: resourceUid });
  },
});
