import { type Application, applicationKind } from '@fairlead/api';
import { textAt } from '@fairlead/apimachinery';
import type { Calls } from '../../rpc/call.ts';
import { invalidArgument } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { applicationAccess, refOf } from './requests.ts';

const { type } = applicationKind;

export const deleteCalls = (server: Server): Calls => {
  const { state } = server;
  const { client } = state;
  return {
    'Application.Delete': async (context, request) => {
      const ref = refOf(request);
      const { application } = await applicationAccess(server).findToDelete(context.caller, ref);
      const policy = textAt(request, 'propagationPolicy');
      const isCascade = request['cascade'] !== false;
      if (!isCascade && policy !== '')
        throw invalidArgument('cannot set propagation policy when cascading is disabled');
      const finalizers = finalizersAfter(application, isCascade, policy);
      const key = { namespace: application.metadata.namespace ?? '', name: application.metadata.name ?? '' };
      if (finalizers) await client.patch(type, key, 'merge', { metadata: { finalizers } });
      await client.delete(type, key);
      await state.gone(state.applications, `${key.namespace}/${key.name}`, application.metadata.uid);
      return {};
    },
  };
};

const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';
const policies: Readonly<Record<string, string>> = {
  '': resourcesFinalizer,
  foreground: `${resourcesFinalizer}/foreground`,
  background: `${resourcesFinalizer}/background`,
};

/** The finalizers that a deletion needs, if others are there. */
function finalizersAfter({ metadata }: Application, isCascade: boolean, policy: string): string[] | undefined {
  const present = metadata.finalizers ?? [];
  const others = present.filter((one) => !one.startsWith(resourcesFinalizer));
  if (!isCascade) return others.length === present.length ? undefined : others;
  const target = policies[policy];
  if (target === undefined) throw invalidArgument(`invalid propagation policy: ${policy}`);
  return present.includes(target) || metadata.deletionTimestamp ? undefined : [...others, target];
}
