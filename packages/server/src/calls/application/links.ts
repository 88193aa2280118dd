import { textAt } from '@fairlead/apimachinery';
import type { Calls } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';

export const linkCalls = (server: Server): Calls => ({
  'Application.ListLinks': async (context, request) => {
    await applicationAccess(server).find(context.caller, 'get', {
      ...refOf(request),
      namespace: textAt(request, 'namespace'),
    });
    return {};
  },
});
