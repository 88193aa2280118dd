import type { Client } from './client.ts';
import type { AgentEvent, ApplicationEvent, Facets, Operations } from './generated.ts';

/** An event of the stream. */
export type FleetEvent =
  | { readonly event: 'application'; readonly id: string; readonly data: ApplicationEvent }
  | { readonly event: 'agent'; readonly id: string; readonly data: AgentEvent }
  | { readonly event: 'facets'; readonly id: string; readonly data: Facets }
  /** Read the lists again: the stream continues after them. */
  | { readonly event: 'reload'; readonly id: string; readonly data: { readonly reason: string } }
  | { readonly event: 'heartbeat'; readonly id: string; readonly data: { readonly time: string } };

export interface FollowOptions {
  readonly query?: NonNullable<Operations['streamEvents']['request']['query']>;
  readonly signal: AbortSignal;
  /** The wait before another attempt, in milliseconds, by the number of failures in a row. */
  readonly retryMs?: (failures: number) => number;
  /** Receives the error that ended a connection. */
  readonly onDisconnect?: (error: unknown) => void;
}

const usualRetryMs = (failures: number): number =>
  Math.min(30_000, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random());

/** Follows the events until the signal aborts. Connects again after a failure, and continues where it was. */
export async function* followEvents(client: Client, options: FollowOptions): AsyncGenerator<FleetEvent> {
  const { query = {}, signal, retryMs = usualRetryMs, onDisconnect } = options;
  let lastId = query.since ?? '';
  for (let failures = 0; !signal.aborted; failures += 1) {
    if (failures > 0) await untilRetry(retryMs(failures), signal);
    if (signal.aborted) return;
    try {
      const { since: _, ...rest } = query;
      const response = await client.send(client.url('streamEvents', { query: rest }), {
        signal,
        headers: { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
      });
      for await (const event of readEvents(response)) {
        failures = 0;
        if (event.id !== '') lastId = event.id;
        yield event;
      }
    } catch (error) {
      if (!signal.aborted) onDisconnect?.(error);
    }
  }
}

/** The events in the body of an answer. */
export async function* readEvents(response: Response): AsyncGenerator<FleetEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

/** Undefined for comments, and events of a newer server. */
export function parseEvent(block: string): FleetEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /u, '')];
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const event = { event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) };
  return isKnown(event) ? event : undefined;
}

const names: ReadonlySet<string> = new Set(['application', 'agent', 'facets', 'reload', 'heartbeat']);

const isKnown = (event: { readonly event: string }): event is FleetEvent => names.has(event.event);

/** Resolves after `ms`, or when the signal aborts. `sleep` of `kube` does not run in browsers. */
const untilRetry = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
