import { eventType, namespaceType } from '@fairlead/apimachinery';
import { type ApiClient, TransportError } from '@fairlead/kube';

/** Deletes the events of all namespaces. Only an API server that restarts is an excuse: the next call clears what is left. */
export async function clearEvents(clusters: readonly ApiClient[]): Promise<void> {
  for (const client of new Set(clusters)) {
    try {
      const { items } = await client.list(namespaceType);
      for (const { metadata } of items) await client.deleteCollection(eventType, { namespace: metadata.name });
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
    }
  }
}
