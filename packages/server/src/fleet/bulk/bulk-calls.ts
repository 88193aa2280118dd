import { type Application, applicationKind } from '@fairlead/api';
import type { JsonObject } from '@fairlead/apimachinery';
import { limiter } from '@fairlead/source';
import { auditedCalls } from '../../audit/audited-calls.ts';
import { operationCalls } from '../../calls/application/operation.ts';
import { requestRefresh } from '../../calls/application/read.ts';
import { applicationAccess, refOf } from '../../calls/application/requests.ts';
import type { CallContext, Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import type { Server } from '../../server.ts';
import type { BulkPlan, BulkResult } from '../api/installation-shapes.ts';
import type { FleetState } from '../applications/queries.ts';
import type { Visibilities } from '../applications/visibility.ts';
import type { FleetCall } from '../http/fleet-handler.ts';
import { type Bulk, type BulkAction, readBulk } from './bulk-request.ts';
import { type PlannedItem, planItem, targetsOf } from './plan-bulk.ts';

/** Applications that one request changes at the same time. */
const maxWrites = 8;

export interface BulkCalls {
  readonly planBulk: FleetCall;
  readonly runBulk: FleetCall;
}

/** Actions on many Applications. Each one is decided, made and audited as if it were asked for alone. */
export function bulkCalls(server: Server, state: FleetState, visibilities: Visibilities): BulkCalls {
  const calls = auditedCalls(server, { ...operationCalls(server), ...automationCalls(server) });
  const planned = (context: CallContext, bulk: Bulk): PlannedItem[] =>
    targetsOf(state, visibilities.of(context), bulk).map((target) => planItem(server, context, bulk, target));

  const run = async (context: CallContext, bulk: Bulk, item: PlannedItem): Promise<BulkResult['results'][number]> => {
    const { namespace, name, allowed, reason, application } = item;
    const message = reason === undefined ? {} : { message: reason };
    if (!application) return { namespace, name, ok: allowed, ...message };
    try {
      await perform(server, calls, context, bulk, application);
      return { namespace, name, ok: true };
    } catch (error) {
      return { namespace, name, ok: false, message: rpcErrorOf(error).message };
    }
  };

  return {
    planBulk: (context, { body }): BulkPlan => {
      const items = planned(context, readBulk(body));
      return { total: items.length, items: items.map(({ application: _, ...item }) => item) };
    },
    runBulk: async (context, { body }): Promise<BulkResult> => {
      const bulk = readBulk(body);
      const items = planned(context, bulk);
      for (const item of items) if (!item.allowed) recordRefusal(server, context, bulk, item);
      const limited = limiter(maxWrites);
      return { results: await Promise.all(items.map((item) => limited(() => run(context, bulk, item)))) };
    },
  };
}

/** The calls whose names are in the audit log. */
const callOf: Readonly<Record<BulkAction, string>> = {
  sync: 'Application.Sync',
  refresh: 'Application.Refresh',
  suspend: 'Application.Patch',
  resume: 'Application.Patch',
};

async function perform(
  server: Server,
  calls: Calls,
  context: CallContext,
  { action, prune, hard }: Bulk,
  application: Application,
): Promise<void> {
  const { namespace = '', name = '' } = application.metadata;
  const ref = { name, appNamespace: namespace, project: application.spec.project || 'default' };
  if (action === 'refresh') {
    await requestRefresh(server, application, hard ? 'hard' : 'normal');
    const { claims, remoteAddress: address } = context;
    const object = { name, namespace, project: ref.project };
    server.audit.record({ claims, address, call: callOf.refresh, object, result: 'OK' });
    return;
  }
  const request: JsonObject =
    action === 'sync' ? { ...ref, ...(prune ? { prune } : {}) } : { ...ref, enabled: action === 'resume' };
  await calls[callOf[action]]?.(context, request);
}

/** Disables and enables automated sync. A merge patch touches nothing else, and the source is not read. */
const automationCalls = (server: Server): Calls => ({
  'Application.Patch': async (context, request) => {
    const { application } = await applicationAccess(server).find(context.caller, 'update', refOf(request));
    const { namespace = '', name = '' } = application.metadata;
    const patch = { spec: { syncPolicy: { automated: { enabled: request['enabled'] === true } } } };
    const { state } = server;
    const written = await state.client.patch<Application>(applicationKind.type, { namespace, name }, 'merge', patch);
    return state.seen(state.applications, written);
  },
});

/** Refusals of the calls themselves are recorded there. */
function recordRefusal(server: Server, context: CallContext, bulk: Bulk, item: PlannedItem): void {
  const { claims, remoteAddress: address } = context;
  const { namespace, name, reason = '' } = item;
  const entry = { claims, address, call: callOf[bulk.action], object: { name, namespace } };
  server.audit.record({ ...entry, result: 'PermissionDenied', message: reason });
}
