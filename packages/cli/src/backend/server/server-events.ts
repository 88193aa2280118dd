import type { Application } from '@fairlead/api';
import { type JsonObject, numberAt, objectAt, objectsAt, textAt } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import type { RestApi } from '../../api-server/rest-api.ts';
import { walk } from '../../applications/cluster/owner-tree.ts';
import type { AnyEvent } from '../backend.ts';
import { applicationCall } from './server-client.ts';

const atOnce = 8;

/** Events of the Application and of each object in its tree. Those of deleted objects are not served. */
export async function readEvents(
  api: RestApi,
  application: Application,
  tree: readonly TreeNode[],
): Promise<AnyEvent[]> {
  const { path, query } = applicationCall(application, 'events');
  const objects = [...walk(tree)].flatMap(({ live }) => (live?.metadata.uid ? [live.metadata] : []));
  const queries = [
    query,
    ...objects.map(({ name, namespace, uid }) => ({
      ...query,
      resourceName: name,
      resourceNamespace: namespace,
      resourceUID: uid,
    })),
  ];
  const found: AnyEvent[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queries.pop(); next; next = queries.pop())
      found.push(...objectsAt(await api.call({ path, query: next }), 'items').map(eventOf));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return found;
}

/** An event of core/v1 as one of events.k8s.io/v1. */
function eventOf(item: JsonObject): AnyEvent {
  const metadata = objectAt(item, 'metadata') ?? {};
  const series = objectAt(item, 'series');
  const lastTimestamp = textAt(item, 'lastTimestamp');
  const count = numberAt(item, 'count');
  const event: AnyEvent = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { ...metadata, name: textAt(metadata, 'name') },
    eventTime: textAt(item, 'eventTime'),
    type: textAt(item, 'type') === 'Warning' ? 'Warning' : 'Normal',
    reason: textAt(item, 'reason'),
    action: textAt(item, 'action'),
    note: textAt(item, 'message'),
    regarding: reference(objectAt(item, 'involvedObject') ?? {}),
    reportingController: textAt(item, 'reportingComponent'),
    reportingInstance: textAt(item, 'reportingInstance'),
    ...(series
      ? { series: { count: numberAt(series, 'count'), lastObservedTime: textAt(series, 'lastObservedTime') } }
      : {}),
    ...(lastTimestamp === '' ? {} : { deprecatedLastTimestamp: lastTimestamp }),
    ...(count > 1 ? { deprecatedCount: count } : {}),
  };
  return event;
}

function reference(object: JsonObject): AnyEvent['regarding'] {
  const [namespace, uid] = [textAt(object, 'namespace'), textAt(object, 'uid')];
  return {
    apiVersion: textAt(object, 'apiVersion'),
    kind: textAt(object, 'kind'),
    name: textAt(object, 'name'),
    ...(namespace === '' ? {} : { namespace }),
    ...(uid === '' ? {} : { uid }),
  };
}
