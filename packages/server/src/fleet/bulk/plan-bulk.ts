import type { Application } from '@fairlead/api';
import { isAutomated, isBusy } from '@fairlead/app-controller/application-text';
import { limits } from '@fairlead/kube';
import { projectForApplication } from '../../applications/application-project.ts';
import { requireOpenWindow } from '../../calls/application/operation.ts';
import { applicationAccess, isEnabled } from '../../calls/application/requests.ts';
import type { CallContext } from '../../rpc/call.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import type { Viewer } from '../applications/application-index.ts';
import type { FleetState } from '../applications/queries.ts';
import { type Bulk, type BulkAction, type BulkTarget, tooMany } from './bulk-request.ts';

export interface PlannedItem extends BulkTarget {
  readonly allowed: boolean;
  readonly reason?: string;
  readonly effect: string;
  /** Of an item that is allowed and changes something. */
  readonly application?: Application;
}

/** The right that each action needs, as the calls for one Application do. */
const rights: Readonly<Record<BulkAction, string>> = {
  sync: 'sync',
  refresh: 'get',
  suspend: 'update',
  resume: 'update',
};

/** Applications that are asked for, by name. Throws an RpcError if there are too many. */
export function targetsOf({ index }: FleetState, viewer: Viewer, { of }: Bulk): readonly BulkTarget[] {
  if (!('words' in of)) return of;
  const selected = index.order('name').sorted(index.select(index.constraints(of), viewer));
  if (selected.length > limits.fleetBulk) throw tooMany('filter matches', selected.length);
  return selected.map(({ record: { summary } }) => ({ namespace: summary.namespace, name: summary.name }));
}

/** What an action would do to one Application. Who may not see it does not learn whether it exists. */
export function planItem(server: Server, context: CallContext, bulk: Bulk, target: BulkTarget): PlannedItem {
  const { namespace, name } = target;
  const refused = (reason: string): PlannedItem => ({ namespace, name, allowed: false, reason, effect: '' });
  const access = applicationAccess(server);
  const application = isEnabled(server, namespace) ? server.state.applications.get(`${namespace}/${name}`) : undefined;
  if (!application || !access.allows(context.caller, 'get', application)) return refused('permission denied');
  try {
    access.require(context.caller, rights[bulk.action], application);
    if (bulk.action === 'sync') requireSyncable(server, application);
  } catch (error) {
    if (error instanceof RpcError) return refused(error.message);
    throw error;
  }
  const nothing = noChange(bulk.action, application);
  if (nothing !== undefined) return { namespace, name, allowed: true, reason: nothing, effect: 'no change' };
  return { namespace, name, allowed: true, effect: effectOf(bulk, application), application };
}

function requireSyncable(server: Server, application: Application): void {
  const { state } = server;
  const project = projectForApplication(application, state.namespace, (name) => state.project(name));
  requireOpenWindow(server, { application, project });
  if (application.metadata.deletionTimestamp) throw new RpcError('FailedPrecondition', 'application is deleting');
  if (isBusy(application)) throw new RpcError('FailedPrecondition', 'another operation is already in progress');
}

/** Why an action changes nothing. */
function noChange(action: BulkAction, application: Application): string | undefined {
  if (action !== 'suspend' && action !== 'resume') return undefined;
  const automated = application.spec.syncPolicy?.automated;
  if (automated === undefined || automated === null) return 'automated sync is not configured';
  if (action === 'suspend') return isAutomated(application) ? undefined : 'automated sync is disabled already';
  return isAutomated(application) ? 'automated sync is enabled already' : undefined;
}

function effectOf({ action, prune, hard }: Bulk, { spec }: Application): string {
  if (action === 'suspend') return 'disable automated sync';
  if (action === 'resume') return 'enable automated sync';
  if (action === 'refresh') return hard ? 'compare again without caches' : 'compare again';
  const revisions = (spec.sources ?? [spec.source]).flatMap((source) => source?.targetRevision || 'HEAD');
  return `sync to ${revisions.join(', ')}${prune ? ' and prune' : ''}`;
}
