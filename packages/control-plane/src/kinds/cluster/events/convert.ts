import type { Json } from '@fairlead/kube';
import type { Draft } from '../../../resource.ts';

/** [events.k8s.io/v1, core/v1] names of one field. */
const names = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
] as const;

/** Fields of each version that are there even when empty. */
const coreAlways: Record<string, Json> = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};
const eventsAlways: Record<string, Json> = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};
const emptyInEvents = ['reportingController', 'reportingInstance'];

function rename(draft: Draft, apiVersion: string, from: 0 | 1, always: Record<string, Json>): Draft {
  const table = new Map(names.map((pair) => [pair[from] as string, pair[from === 0 ? 1 : 0] as string]));
  const renamed = Object.entries(draft).map(([key, value]) => [table.get(key) ?? key, value] as const);
  return { ...always, ...Object.fromEntries(renamed), apiVersion } as unknown as Draft;
}

export const toCoreEvent = (draft: Draft): Draft => rename(draft, 'v1', 0, coreAlways);

export function fromCoreEvent(draft: Draft): Draft {
  const event = rename(draft, 'events.k8s.io/v1', 1, eventsAlways);
  for (const field of emptyInEvents) if (event[field] === '') delete event[field];
  return event;
}
