import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import { formatMicroTime } from '@fairlead/apimachinery';

/** What there is to tell. */
export interface NewEvent {
  /** The object it is about. */
  readonly regarding: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word of UpperCamelCase: `Pulled`, `SyncFailed`. */
  readonly reason: string;
  /** What was done or tried, in one word: `Sync`, `Prune`. */
  readonly action: string;
  /** One sentence for a person. */
  readonly note: string;
  readonly related?: KubeObject;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface ObjectReference {
  apiVersion: string;
  kind: string;
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
}

/** An Event of events.k8s.io/v1. */
export interface KubeEvent extends KubeObject {
  eventTime: string;
  type: 'Normal' | 'Warning';
  reason: string;
  action: string;
  note: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  reportingController: string;
  reportingInstance: string;
  series?: { count: number; lastObservedTime: string };
}

export const eventsType: ResourceType = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
};

export function newKubeEvent(
  event: NewEvent,
  by: { readonly controller: string; readonly instance: string; readonly now: number; readonly serial: number },
): KubeEvent {
  const { name, namespace } = event.regarding.metadata;
  const suffix = `${by.now.toString(16)}${by.serial.toString(16).padStart(4, '0')}`;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    // Events of objects without a namespace live in `default`, where kubectl looks for them.
    metadata: {
      namespace: namespace ?? 'default',
      name: `${name.slice(0, 200).replace(/[^a-z0-9.-]/g, '-')}.${suffix}`,
      ...(event.annotations ? { annotations: { ...event.annotations } } : {}),
    },
    eventTime: formatMicroTime(by.now),
    type: event.type,
    reason: event.reason.slice(0, 128),
    action: event.action.slice(0, 128),
    note: shortened(event.note, 1024),
    regarding: referenceTo(event.regarding),
    ...(event.related ? { related: referenceTo(event.related) } : {}),
    reportingController: by.controller,
    reportingInstance: by.instance.slice(0, 128),
  };
}

export const seriesOf = (count: number, last: number) => ({ count, lastObservedTime: formatMicroTime(last) });

function referenceTo({ apiVersion, kind, metadata }: KubeObject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

/** The server counts bytes. */
function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text)
    .subarray(0, bytes - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}…`;
}
