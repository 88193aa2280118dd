import { type KubeObject, textAt } from '@fairlead/apimachinery';
import { type ApiClient, eventsType, type KubeEvent } from '@fairlead/kube';

/** The object that events are about. */
export interface Involved {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
}

/** Events of an object, as core/v1 events. */
export async function listEvents(client: ApiClient, namespace: string, involved: Involved): Promise<object> {
  const { items, resourceVersion } = await client.list<KubeEvent>(eventsType, { namespace });
  const about = items.filter(({ regarding }) => {
    const { name = '', namespace: there = '', uid = '' } = regarding ?? {};
    return name === involved.name && there === involved.namespace && uid === involved.uid;
  });
  return { metadata: { resourceVersion }, items: about.map(coreEvent) };
}

function coreEvent(event: KubeEvent & KubeObject): object {
  const { metadata, regarding, reason, note, type, eventTime, reportingController, reportingInstance, action } = event;
  return {
    metadata,
    involvedObject: regarding ?? {},
    reason,
    message: note,
    source: { component: reportingController },
    firstTimestamp: textAt(event, 'deprecatedFirstTimestamp') || null,
    lastTimestamp: textAt(event, 'deprecatedLastTimestamp') || null,
    count: 1,
    type,
    eventTime,
    action,
    reportingComponent: reportingController,
    reportingInstance,
  };
}
