import type { JsonObject } from '@fairlead/apimachinery';
import { elementAt, formatTime, withTransitionTime } from '@fairlead/apimachinery';
import type { ContainerRun, Exit } from './container-run.ts';
import { isSidecar, isTerminal, type Pod, type PodCondition } from './pod.ts';

export interface PodRun {
  readonly init: readonly ContainerRun[];
  readonly main: readonly ContainerRun[];
  /** Set if the pod was ended from outside its containers: by a deadline or an eviction. */
  ended?: { readonly reason: string; readonly message: string };
}

export interface NodeFacts {
  readonly hostIP: string;
  readonly podIP: string;
}

/** The status that the kubelet writes for a pod: a pure function of the state of its containers. */
export function podStatus(pod: Pod, run: PodRun, node: NodeFacts, now: number): JsonObject {
  const phase = phaseOf(pod, run);
  const ip = pod.spec.hostNetwork ? node.hostIP : node.podIP;
  return {
    ...(pod.metadata.generation ? { observedGeneration: pod.metadata.generation } : {}),
    phase,
    ...(run.ended ? { reason: run.ended.reason, message: run.ended.message } : {}),
    conditions: conditionsOf(pod, run, phase, now).map((condition) => ({ ...condition })),
    hostIP: node.hostIP,
    hostIPs: [{ ip: node.hostIP }],
    ...(isTerminal(phase) && !pod.status?.podIP ? {} : { podIP: ip, podIPs: [{ ip }] }),
    startTime: pod.status?.startTime ?? formatTime(now),
    ...(run.init.length > 0
      ? { initContainerStatuses: run.init.map((container) => containerStatus(pod, container, true)) }
      : {}),
    containerStatuses: run.main.map((container) => containerStatus(pod, container, false)),
  };
}

export function phaseOf(pod: Pod, run: PodRun): string {
  if (run.ended) return 'Failed';
  const { main } = run;
  const restarts = pod.spec.restartPolicy ?? 'Always';
  const done = main.length > 0 && main.every(({ state }) => state.kind === 'exited');
  if (done && restarts !== 'Always') {
    const failed = main.some(({ state }) => state.kind === 'exited' && state.code !== 0);
    if (!failed) return 'Succeeded';
    if (restarts === 'Never') return 'Failed';
  }
  const failedInit = run.init.some(({ state }) => state.kind === 'exited' && state.code !== 0);
  if (failedInit && restarts === 'Never') return 'Failed';
  const hasStarted = main.some(({ state, last }) => state.kind !== 'waiting' || last !== undefined);
  return hasStarted ? 'Running' : 'Pending';
}

function conditionsOf(pod: Pod, run: PodRun, phase: string, now: number): PodCondition[] {
  const terminal = isTerminal(phase);
  const initialised = run.init.every((container, index) => isInitialised(pod, container, index));
  const waiting = run.init.filter((container, index) => !isInitialised(pod, container, index)).map(({ name }) => name);
  const unready = [...run.main, ...run.init.filter((_, index) => isSidecarAt(pod, index))]
    .filter(({ ready }) => !ready)
    .map(({ name }) => name);
  const ended = phase === 'Succeeded' ? { reason: 'PodCompleted' } : { reason: 'PodFailed' };
  const notReady = terminal
    ? ended
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
  const containersReady = !terminal && unready.length === 0;
  const openGates = (pod.spec.readinessGates ?? []).filter(
    ({ conditionType }) => statusOf(pod, conditionType) !== 'True',
  );
  const ready = containersReady && openGates.length === 0;
  const gates = {
    reason: 'ReadinessGatesNotReady',
    message: openGates
      .map(({ conditionType }) => `corresponding condition of pod readiness gate "${conditionType}" does not exist.`)
      .join(', '),
  };
  const conditions: Omit<PodCondition, 'lastTransitionTime'>[] = [
    { type: 'PodReadyToStartContainers', status: terminal ? 'False' : 'True' },
    initialised
      ? { type: 'Initialized', status: 'True', ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
      : {
          type: 'Initialized',
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${waiting.join(' ')}]`,
        },
    ready
      ? { type: 'Ready', status: 'True' }
      : { type: 'Ready', status: 'False', ...(containersReady ? gates : notReady) },
    containersReady
      ? { type: 'ContainersReady', status: 'True' }
      : { type: 'ContainersReady', status: 'False', ...notReady },
  ];
  const own = new Set(conditions.map(({ type }) => type));
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !own.has(type));
  return [...conditions.map((condition) => dated(pod, condition, now)), ...others];
}

const statusOf = (pod: Pod, type: string): string | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === type)?.status;

const isSidecarAt = (pod: Pod, index: number): boolean => isSidecar(elementAt(pod.spec.initContainers ?? [], index));

function isInitialised(pod: Pod, container: ContainerRun, index: number): boolean {
  if (isSidecarAt(pod, index)) return container.state.kind === 'running';
  return container.state.kind === 'exited' && container.state.code === 0;
}

/** The time of a condition changes only with its status. */
function dated(pod: Pod, condition: Omit<PodCondition, 'lastTransitionTime'>, now: number): PodCondition {
  return withTransitionTime({ ...condition, lastProbeTime: null }, pod.status?.conditions, formatTime(now));
}

function containerStatus(pod: Pod, run: ContainerRun, init: boolean): JsonObject {
  const running = run.state.kind === 'running';
  return {
    name: run.name,
    state: stateOf(run, pod),
    lastState: run.last ? { terminated: terminated(run.last, pod, run) } : {},
    ready: init && run.state.kind === 'exited' ? run.state.code === 0 : run.ready,
    restartCount: run.restarts,
    image: run.image,
    imageID: run.imageId,
    ...(running || run.state.kind === 'exited' ? { containerID: containerId(pod, run) } : {}),
    started: running,
  };
}

const containerId = (pod: Pod, run: ContainerRun): string =>
  `fairlead-sim://${pod.metadata.uid}/${run.name}/${run.restarts}`;

function stateOf(run: ContainerRun, pod: Pod): JsonObject {
  const { state } = run;
  if (state.kind === 'waiting')
    return { waiting: { reason: state.reason, ...(state.message ? { message: state.message } : {}) } };
  if (state.kind === 'running') return { running: { startedAt: formatTime(state.startedAt) } };
  return { terminated: terminated(state, pod, run) };
}

const terminated = (exit: Exit, pod: Pod, run: ContainerRun): JsonObject => ({
  exitCode: exit.code,
  reason: exit.reason,
  startedAt: formatTime(exit.startedAt),
  finishedAt: formatTime(exit.finishedAt),
  containerID: containerId(pod, run),
});
