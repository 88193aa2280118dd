import { type Application, applicationKind } from '@fairlead/api';
import { textAt } from '@fairlead/apimachinery';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { notFound, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { withoutKind } from '../project.ts';
import { applicationAccess, isEnabled, queriedRef, selectorOf } from './requests.ts';

const { type } = applicationKind;

export const readCalls = (server: Server): Calls => {
  const { state } = server;
  return {
    'Application.List': (context, request) => {
      const matches = selectorOf(request);
      const rights = applicationAccess(server);
      const items = state.applications
        .list()
        .filter((one) => matches(one) && isEnabled(server, one.metadata.namespace ?? ''))
        .filter((one) => rights.allows(context.caller, 'get', one))
        .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
      return { metadata: { resourceVersion: latestVersion(state.applications.list()) }, items: items.map(withoutKind) };
    },

    'Application.Get': async (context, request) => {
      const { application } = await applicationAccess(server).find(context.caller, 'get', queriedRef(request));
      const refresh = textAt(request, 'refresh');
      if (refresh === '') return withoutKind(application);
      return withoutKind(await refreshed(server, context, application, refresh === 'hard' ? 'hard' : 'normal'));
    },
  };
};

function latestVersion(applications: readonly Application[]): string {
  return String(applications.reduce((last, { metadata }) => Math.max(last, Number(metadata.resourceVersion ?? 0)), 0));
}

const refreshAnnotation = 'argocd.argoproj.io/refresh';
const refreshMs = 60_000;

/** Asks the controller to compare again. */
export async function requestRefresh(
  { state }: Server,
  { metadata: { namespace = '', name = '' } }: Application,
  kind: 'normal' | 'hard',
): Promise<void> {
  const patch = { metadata: { annotations: { [refreshAnnotation]: kind } } };
  const written = await state.client.patch<Application>(type, { namespace, name }, 'merge', patch);
  await state.seen(state.applications, written);
}

/** Asks the controller to compare again, and waits until it has. */
export async function refreshed(
  server: Server,
  { signal }: CallContext,
  application: Application,
  kind: 'normal' | 'hard',
): Promise<Application> {
  const { state } = server;
  const { namespace = '', name = '' } = application.metadata;
  const key = `${namespace}/${name}`;
  await requestRefresh(server, application, kind);
  return new Promise((resolve, reject) => {
    const done = (result: Application | RpcError): void => {
      remove();
      cancel();
      if (result instanceof RpcError) reject(result);
      else resolve(result);
    };
    const check = (): void => {
      const found = state.applications.get(key);
      if (!found) done(notFound(`applications.argoproj.io "${name}" not found`));
      else if (found.metadata.annotations?.[refreshAnnotation] === undefined) done(found);
    };
    const remove = state.applications.addHandler({ onUpdate: check, onDelete: check });
    const cancel = state.clock.after(refreshMs, () =>
      done(new RpcError('DeadlineExceeded', 'application refresh deadline exceeded')),
    );
    signal.addEventListener('abort', () => done(new RpcError('Canceled', 'context canceled')), { once: true });
    check();
  });
}
