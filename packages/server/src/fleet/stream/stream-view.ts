import type { AgentSummary } from '../api/installation-shapes.ts';
import type { KeyedViewer } from '../applications/application-index.ts';
import { type Filter, matchesFilter } from '../applications/filter.ts';
import type { ApplicationRecord } from '../applications/summary.ts';
import type { ApplicationChange, FleetChange } from './event-log.ts';

export type EventType = 'application' | 'agent' | 'facets';

/** What the client of a stream asks for, and may see. */
export interface StreamView {
  readonly types: ReadonlySet<string>;
  readonly filter: Filter;
  readonly viewer: KeyedViewer;
  mayGetAgent(agent: AgentSummary): boolean;
}

/** The same for clients that receive the same. */
export const viewKey = ({ types, filter, viewer }: StreamView): string =>
  JSON.stringify([[...types].sort(), filter.key, viewer.key]);

export interface SentEvent {
  readonly event: 'application' | 'agent';
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly data: object;
}

/** The event that a client receives for a change; undefined if it receives none. An Application that no longer matches is gone for it. */
export function eventOf(view: StreamView, change: FleetChange): SentEvent | undefined {
  if (!view.types.has(change.kind)) return undefined;
  if (change.kind === 'application') return applicationEvent(view, change);
  const { type, agent } = change;
  return view.mayGetAgent(agent) ? { event: 'agent', type, data: { type, agent } } : undefined;
}

function applicationEvent({ filter, viewer }: StreamView, { before, after }: ApplicationChange): SentEvent | undefined {
  const shown = (record: ApplicationRecord | undefined): ApplicationRecord | undefined =>
    record && matchesFilter(filter, record) && viewer.allows(record) ? record : undefined;
  const [was, is] = [shown(before), shown(after)];
  const type = is ? (was ? 'MODIFIED' : 'ADDED') : 'DELETED';
  const summary = (is ?? was)?.summary;
  return summary ? { event: 'application', type, data: { type, summary } } : undefined;
}
