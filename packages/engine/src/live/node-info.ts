import {
  at,
  isJsonObject,
  type Json,
  type KubeObject,
  listAt,
  numberAt,
  type Pod,
  textAt,
} from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';
import { groupOf } from '../resource-id.ts';
import { type Host, hostOf, requestsOfPod } from './hosts.ts';
import { type NetworkingInfo, networkingOf } from './networking.ts';

export interface InfoItem {
  readonly name: string;
  readonly value: string;
}

/** What a resource tree shows of an object in addition to its identity, health and owners. */
export interface NodeInfo {
  readonly info?: readonly InfoItem[];
  readonly images?: readonly string[];
  readonly networking?: NetworkingInfo;
  /** Of a Node. */
  readonly host?: Host;
}

/** In the terms of Argo CD, so that its UI shows them; with the values of these labels. */
export function nodeInfoOf(object: KubeObject, labels: readonly string[] = []): NodeInfo {
  const info = [
    ...revisionOf(object),
    ...labelled(object, labels),
    ...(isPod(object) ? podInfo(object) : []),
    ...pausedInfo(object),
    ...managedByUrl(object),
  ];
  const host = hostOf(object);
  const images = imagesOfPod(object);
  const networking = networkingOf(object);
  return {
    ...(info.length > 0 ? { info } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(networking ? { networking } : {}),
    ...(host ? { host } : {}),
  };
}

/** Shown by the tree: a sync leaves it as it is. */
function pausedInfo({ metadata }: KubeObject): InfoItem[] {
  return metadata.annotations?.[knownAnnotations.pause.name] === 'true' ? [{ name: 'Paused', value: 'true' }] : [];
}

/** Of an Application: the address of the installation that manages it. */
function managedByUrl({ apiVersion, kind, metadata }: KubeObject): InfoItem[] {
  const value = metadata.annotations?.['argocd.argoproj.io/managed-by-url'];
  const isApplication = kind === 'Application' && groupOf(apiVersion) === 'argoproj.io';
  return isApplication && value !== undefined ? [{ name: 'managed-by-url', value }] : [];
}

const labelled = ({ metadata }: KubeObject, labels: readonly string[]): InfoItem[] =>
  labels.flatMap((name) => {
    const value = metadata.labels?.[name];
    return value === undefined ? [] : [{ name, value }];
  });

const isPod = (object: KubeObject): object is Pod => object.kind === 'Pod' && object.apiVersion === 'v1';

function revisionOf(object: KubeObject): InfoItem[] {
  const annotations = object.metadata.annotations ?? {};
  const revision =
    annotations['deployment.kubernetes.io/revision'] ??
    annotations['rollout.argoproj.io/revision'] ??
    (object.kind === 'ControllerRevision' && groupOf(object.apiVersion) === 'apps'
      ? at(object, 'revision')
      : undefined);
  const number = Number(revision);
  return Number.isSafeInteger(number) && number > 0 ? [{ name: 'Revision', value: `Rev:${number}` }] : [];
}

const containers = (pod: KubeObject): readonly Json[] => [
  ...listAt(pod, 'spec', 'initContainers'),
  ...listAt(pod, 'spec', 'containers'),
];

/** Empty for any other kind. */
export const imagesOfPod = (object: KubeObject): string[] =>
  isPod(object) ? [...new Set(containers(object).flatMap((container) => textAt(container, 'image') || []))] : [];

const isSidecar = (container: Json | undefined): boolean => textAt(container, 'restartPolicy') === 'Always';

/** The status of a pod, as in `kubectl get pods`. */
function podInfo(pod: Pod): InfoItem[] {
  const phase = textAt(pod, 'status', 'phase');
  const sidecars = listAt(pod, 'spec', 'initContainers').filter(isSidecar);
  const counts = { ready: 0, restarts: 0 };
  let reason = textAt(pod, 'status', 'reason') || phase;
  const conditions = listAt(pod, 'status', 'conditions');
  if (conditions.some((one) => textAt(one, 'type') === 'PodScheduled' && textAt(one, 'reason') === 'SchedulingGated'))
    reason = 'SchedulingGated';
  const initializing = initReason(pod, counts);
  const initialized = conditions.some(
    (one) => textAt(one, 'type') === 'Initialized' && textAt(one, 'status') === 'True',
  );
  reason = initializing ?? reason;
  if (initializing === undefined || initialized) reason = runReason(pod, counts, reason);
  const finished = phase === 'Succeeded' || phase === 'Failed';
  if (pod.metadata.deletionTimestamp) {
    if (textAt(pod, 'status', 'reason') === 'NodeLost') reason = 'Unknown';
    else if (!finished) reason = 'Terminating';
  }
  const total = listAt(pod, 'spec', 'containers').length + sidecars.length;
  return [
    ...(reason === '' ? [] : [{ name: 'Status Reason', value: reason }]),
    { name: 'Node', value: textAt(pod, 'spec', 'nodeName') },
    { name: 'Containers', value: `${counts.ready}/${total}` },
    ...(counts.restarts > 0 ? [{ name: 'Restart Count', value: String(counts.restarts) }] : []),
    ...requestsOfPod(pod),
  ];
}

interface Counts {
  ready: number;
  restarts: number;
}

/** Why a pod is still initializing; undefined if it is not. */
function initReason(pod: KubeObject, counts: Counts): string | undefined {
  const declared = listAt(pod, 'spec', 'initContainers');
  for (const [i, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    counts.restarts += numberAt(status, 'restartCount');
    const terminated = at(status, 'state', 'terminated');
    if (isJsonObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue;
    const spec = declared.find((container) => textAt(container, 'name') === textAt(status, 'name'));
    if (isSidecar(spec) && at(status, 'started') === true) {
      if (at(status, 'ready') === true) counts.ready += 1;
      continue;
    }
    if (isJsonObject(terminated)) return `Init:${endOf(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${i}/${declared.length}`;
  }
  return undefined;
}

function runReason(pod: KubeObject, counts: Counts, before: string): string {
  let reason = before;
  let running = false;
  for (const status of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    counts.restarts += numberAt(status, 'restartCount');
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    const terminated = at(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (isJsonObject(terminated)) reason = endOf(terminated);
    else if (at(status, 'ready') === true && isJsonObject(at(status, 'state', 'running'))) {
      running = true;
      counts.ready += 1;
    }
  }
  return reason === 'Completed' && running ? 'Running' : reason;
}

function endOf(terminated: Json): string {
  const signal = numberAt(terminated, 'signal');
  return (
    textAt(terminated, 'reason') || (signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`)
  );
}
