import { type Condition, isConditionTrue } from '@fairlead/apimachinery';
import type { TableRules } from '../resource.ts';
import { since } from './age.ts';
import { type Cell, type Container, containerCells, labelsText, orNone, type Printable, tableOf } from './columns.ts';

interface ContainerStatus {
  name: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: ContainerState;
  lastState?: ContainerState;
}

interface ContainerState {
  waiting?: { reason?: string };
  running?: object;
  terminated?: { exitCode?: number; signal?: number; reason?: string; finishedAt?: string };
}

export interface PodParts {
  spec?: {
    nodeName?: string;
    containers?: Container[];
    initContainers?: (Container & { restartPolicy?: string })[];
    readinessGates?: { conditionType: string }[];
  };
  status?: {
    phase?: string;
    reason?: string;
    nominatedNodeName?: string;
    podIPs?: { ip: string }[];
    conditions?: Condition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}

/** The summary of the containers of a pod, for the columns Ready, Status and Restarts. */
interface Summary {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

const podColumns = tableOf<PodParts>(
  'Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*',
  (pod, now): Cell[] => {
    const { spec = {}, status = {} } = pod;
    const sidecars = (spec.initContainers ?? []).filter(isSidecar).length;
    const total = (spec.containers ?? []).length + sidecars;
    const { ready, restarts, lastRestart, reason } = summarise(pod);
    return [
      `${ready}/${total}`,
      ending(pod.metadata.deletionTimestamp, status) ?? reason,
      restarts > 0 && lastRestart ? `${restarts} (${since(lastRestart, now)} ago)` : String(restarts),
      orNone(status.podIPs?.[0]?.ip),
      orNone(spec.nodeName),
      orNone(status.nominatedNodeName),
      gatesText(spec.readinessGates, status.conditions),
    ];
  },
);

/** Finished pods are marked for clients that hide them. */
const endings: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

export const pods: TableRules = {
  ...podColumns,
  conditions(pod) {
    const phase = (pod as Printable<PodParts>).status?.phase ?? '';
    const message = endings[phase];
    return message ? [{ type: 'Completed', status: 'True', reason: phase, message }] : [];
  },
};

export const podTemplates = tableOf<{
  template?: { metadata?: { labels?: Record<string, string> }; spec?: { containers?: Container[] } };
}>('Name, Containers, Images, Pod Labels', ({ template }) => [
  ...containerCells(template?.spec?.containers),
  labelsText(template?.metadata?.labels),
]);

const isSidecar = (container: { restartPolicy?: string }): boolean => container.restartPolicy === 'Always';

function summarise({ spec = {}, status = {} }: PodParts): Summary {
  const gated = (status.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const first = gated ? 'SchedulingGated' : status.reason || status.phase || '';
  const summary: Summary = { reason: first, ready: 0, restarts: 0, lastRestart: '' };
  const sidecars: Summary = { ...summary };
  const initializing = summariseInit(spec, status, summary, sidecars);
  if (initializing && !isConditionTrue(status.conditions, 'Initialized')) return summary;
  summary.restarts = sidecars.restarts;
  summary.lastRestart = sidecars.lastRestart;
  summariseMain(status, summary);
  return summary;
}

function countRestarts(summary: Summary, container: ContainerStatus): void {
  summary.restarts += container.restartCount ?? 0;
  const finished = container.lastState?.terminated?.finishedAt ?? '';
  if (finished > summary.lastRestart) summary.lastRestart = finished;
}

/** The first unfinished init container determines the status. */
function summariseInit(
  spec: NonNullable<PodParts['spec']>,
  status: NonNullable<PodParts['status']>,
  summary: Summary,
  sidecars: Summary,
): boolean {
  const named = new Map((spec.initContainers ?? []).map((container) => [container.name, container]));
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    const sidecar = isSidecar(named.get(container.name) ?? {});
    countRestarts(summary, container);
    if (sidecar) countRestarts(sidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) summary.ready += 1;
      continue;
    }
    if (terminated) summary.reason = `Init:${endReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${(spec.initContainers ?? []).length}`;
    return true;
  }
  return false;
}

function summariseMain(status: NonNullable<PodParts['status']>, summary: Summary): void {
  let running = false;
  let failure = '';
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
    countRestarts(summary, container);
    const { terminated, waiting } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated) {
      summary.reason = endReason(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = summary.reason;
    } else if (container.ready && container.state?.running) {
      running = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (running && isConditionTrue(status.conditions, 'Ready')) summary.reason = 'Running';
  else if (failure) summary.reason = failure;
  else if (running) summary.reason = 'NotReady';
}

const endReason = ({ reason, signal, exitCode }: { reason?: string; signal?: number; exitCode?: number }): string =>
  reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`);

function ending(deleted: string | undefined, status: NonNullable<PodParts['status']>): string | undefined {
  if (!deleted) return undefined;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Succeeded' || status.phase === 'Failed' ? undefined : 'Terminating';
}

function gatesText(
  gates: readonly { conditionType: string }[] | undefined,
  conditions: Condition[] | undefined,
): string {
  if (!gates || gates.length === 0) return '<none>';
  return `${gates.filter(({ conditionType }) => isConditionTrue(conditions, conditionType)).length}/${gates.length}`;
}
