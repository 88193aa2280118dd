import type { Application } from '@fairlead/api';
import { limits } from '@fairlead/kube';
import { destinationCluster, type KnownCluster, knownClusters } from '../../applications/destination.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import { healthStatuses, type OperationSummary, operationPhases, syncStatuses } from '../api/application-shapes.ts';
import type { OperationItem } from '../api/installation-shapes.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';
import { visibleApplications } from './visible-applications.ts';

/** The last syncs of visible Applications: those that run first, then by the time of their end. */
export function listOperations(
  server: Server,
  context: CallContext,
  { query }: FleetRequest,
): { items: OperationItem[] } {
  const limit = query.count('limit', 100, limits.fleetPage);
  const synced = visibleApplications(server, context).flatMap((application) => {
    const operation = operationOf(application);
    return operation ? [{ application, operation }] : [];
  });
  const clusters = knownClusters(server.state.secrets.list());
  return {
    items: synced
      .sort((a, b) => compare(a.operation, b.operation))
      .slice(0, limit)
      .map(({ application, operation }) => itemOf(application, operation, clusters)),
  };
}

/** An operation that was requested and has not started counts as running. Undefined if there never was one. */
export function operationOf({ operation, status }: Application): OperationSummary | undefined {
  const state = status?.operationState;
  if (!state && !operation) return undefined;
  const { username, automated } = (state?.operation ?? operation)?.initiatedBy ?? {};
  const initiatedBy = automated ? 'automated' : username;
  return {
    phase: oneOf(operationPhases, state?.phase, 'Running'),
    ...(state?.startedAt ? { startedAt: state.startedAt } : {}),
    ...(state?.finishedAt ? { finishedAt: state.finishedAt } : {}),
    ...(state?.message ? { message: state.message } : {}),
    ...(initiatedBy ? { initiatedBy } : {}),
  };
}

const isRunning = ({ phase }: OperationSummary): boolean => phase === 'Running' || phase === 'Terminating';

/** Those that run begin with the one that has run longest, the others with the one that ended last. */
function compare(a: OperationSummary, b: OperationSummary): number {
  if (isRunning(a) !== isRunning(b)) return isRunning(a) ? -1 : 1;
  const [first, second] = isRunning(a)
    ? [a.startedAt ?? '', b.startedAt ?? '']
    : [b.finishedAt ?? '', a.finishedAt ?? ''];
  return first < second ? -1 : first > second ? 1 : 0;
}

function itemOf(
  { metadata, spec, status }: Application,
  operation: OperationSummary,
  clusters: readonly KnownCluster[],
): OperationItem {
  const known = destinationCluster(spec.destination, clusters);
  const { name = '', server = '' } = typeof known === 'string' ? spec.destination : known;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    project: spec.project || 'default',
    cluster: name || server,
    sync: oneOf(syncStatuses, status?.sync?.status, 'Unknown'),
    health: oneOf(healthStatuses, status?.health?.status, 'Unknown'),
    revision: status?.operationState?.syncResult?.revision ?? status?.sync?.revision ?? '',
    operation,
  };
}

const oneOf = <T extends string>(values: readonly T[], value: string | undefined, otherwise: T): T =>
  values.find((one) => one === value) ?? otherwise;
