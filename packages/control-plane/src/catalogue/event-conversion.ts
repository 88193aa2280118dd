import type { Json } from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';

/** An event has two forms: core/v1, which is stored, and events.k8s.io/v1, with other names of some fields. */
const names: readonly (readonly [core: string, events: string])[] = [
  ['involvedObject', 'regarding'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
];
const toCore = new Map(names.map(([core, events]) => [events, core]));
const toEvents = new Map(names);

const rename = (draft: Draft, by: ReadonlyMap<string, string>, apiVersion: string): Draft => {
  const renamed: Record<string, Json> = {};
  for (const [key, value] of Object.entries(draft)) renamed[by.get(key) ?? key] = value;
  return { ...renamed, apiVersion } as Draft;
};

export const eventConversion = {
  toStorage: (draft: Draft): Draft => rename(draft, toCore, 'v1'),
  fromStorage: (draft: Draft): Draft => rename(draft, toEvents, 'events.k8s.io/v1'),
};
