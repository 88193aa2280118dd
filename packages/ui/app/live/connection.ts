import { type FleetEvent, followEvents } from '@fairlead/client';
import { useSyncExternalStore } from 'react';
import { client, reportProblem } from '../api/client.ts';

export type ConnectionState = 'connecting' | 'live' | 'lost';

interface Connection {
  readonly state: ConnectionState;
  /** When the server has last sent something, in milliseconds. */
  readonly receivedAt: number | undefined;
}

/** The server sends a heartbeat at least this often. */
const silentMs = 45_000;

let connection: Connection = { state: 'connecting', receivedAt: undefined };
const watchers = new Set<() => void>();
const listeners = new Set<(events: readonly FleetEvent[]) => void>();

function set(next: Connection): void {
  const isSame = next.state === connection.state && (next.receivedAt ?? 0) - (connection.receivedAt ?? 0) < 5_000;
  if (isSame && connection.receivedAt !== undefined) return;
  connection = next;
  for (const watcher of watchers) watcher();
}

/** Events are handed over in batches, so that many changes a second cost one rendering. */
const batchMs = 200;
let batch: FleetEvent[] = [];

function enqueue(event: FleetEvent): void {
  batch.push(event);
  if (batch.length > 1) return;
  setTimeout(() => {
    const events = batch;
    batch = [];
    for (const listener of listeners) listener(events);
  }, batchMs);
}

/** Follows the events of the server until the signal aborts. */
export async function follow(signal: AbortSignal): Promise<void> {
  const watchdog = setInterval(() => {
    if (connection.receivedAt !== undefined && Date.now() - connection.receivedAt > silentMs)
      set({ ...connection, state: 'lost' });
  }, 5_000);
  signal.addEventListener('abort', () => clearInterval(watchdog), { once: true });
  const onDisconnect = (error: unknown): void => {
    set({ ...connection, state: 'lost' });
    reportProblem(error);
  };
  for await (const event of followEvents(client, {
    signal,
    query: { types: ['application', 'agent'] },
    onDisconnect,
  })) {
    set({ state: 'live', receivedAt: Date.now() });
    if (event.event !== 'heartbeat') enqueue(event);
  }
}

export function onEvents(listener: (events: readonly FleetEvent[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
  );
