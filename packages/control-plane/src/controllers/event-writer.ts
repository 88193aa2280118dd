import {
  apiVersionOf,
  eventType,
  formatTime,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
} from '@fairlead/apimachinery';
import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import { EventDamper } from './event-damper.ts';
import type { RecordEvent } from './parts.ts';

/** The same event within this time increments a count. */
const sameWithinMs = 10 * 60_000;
const remembered = 4096;

/** Counts the events of all writers, so that two about one object at the same time have different names. */
let serial = 0;

interface Written {
  readonly name: string;
  readonly namespace: string;
  count: number;
  last: number;
  writing: Promise<void>;
}

/** Events as written by controllers and kubelets: core/v1, with a source and a count. */
export function createEventWriter(
  client: Pick<ApiClient, 'create' | 'patch'>,
  clock: Clock,
  log: Logger,
  source: { readonly component: string; readonly host?: string },
): RecordEvent & {
  about(object: KubeObject, fieldPath: string | undefined, type: string, reason: string, message: string): void;
} {
  const known = new Map<string, Written>();
  const damper = new EventDamper();

  const about = (
    object: KubeObject,
    fieldPath: string | undefined,
    type: string,
    reason: string,
    given: string,
  ): void => {
    const now = clock.now();
    const admitted = damper.admit(object, type, reason, given, now);
    if (!admitted) return;
    const { message, combined } = admitted;
    const key = [object.metadata.uid, fieldPath, type, reason, combined ? '' : message].join('\u0000');
    const before = known.get(key);
    if (before && now - before.last < sameWithinMs) return again(before, now, combined ? { message } : {});
    const { name, namespace = '', uid, resourceVersion } = object.metadata;
    const written: Written = {
      name: `${name.slice(0, 200)}.${now.toString(16)}${(serial++ % 0x1000000).toString(16).padStart(6, '0')}`,
      namespace: namespace || 'default',
      count: 1,
      last: now,
      writing: Promise.resolve(),
    };
    known.set(key, written);
    if (known.size > remembered) known.delete(known.keys().next().value!);
    const event = {
      apiVersion: apiVersionOf(eventType),
      kind: eventType.kind,
      metadata: { name: written.name, namespace: written.namespace },
      involvedObject: {
        kind: object.kind,
        name,
        ...(namespace ? { namespace } : {}),
        ...(uid ? { uid } : {}),
        apiVersion: object.apiVersion,
        ...(resourceVersion ? { resourceVersion } : {}),
        ...(fieldPath ? { fieldPath } : {}),
      },
      reason,
      message,
      source,
      firstTimestamp: formatTime(now),
      lastTimestamp: formatTime(now),
      count: 1,
      type,
      reportingComponent: source.component,
      reportingInstance: source.host ?? '',
    } as unknown as KubeObject;
    written.writing = client.create(eventType, event).then(() => undefined, forgiven);
  };

  const again = (written: Written, now: number, changes: { message?: string }): void => {
    written.count += 1;
    written.last = now;
    const body = { count: written.count, lastTimestamp: formatTime(now), ...changes };
    written.writing = written.writing
      .then(() => client.patch(eventType, written, 'merge', body))
      .then(() => undefined, forgiven);
  };

  /** A terminating namespace accepts no more events, and an event may have expired. */
  const forgiven = (error: unknown): void => {
    const expected = isNotFound(error) || isAlreadyExists(error) || /being terminated/.test(String(error));
    if (!expected) log.warn('an event could not be written', { error });
  };

  return Object.assign(
    (object: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string) =>
      about(object, undefined, type, reason, message),
    { about },
  );
}
