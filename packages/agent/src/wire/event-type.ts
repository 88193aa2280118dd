const prefix = 'io.argoproj.argocd-agent.event.';

/** The short names of argocd-agent's event types that are sent. */
export type EventName =
  | 'create'
  | 'spec-update'
  | 'status-update'
  | 'delete'
  | 'set-operation'
  | 'terminate-operation'
  | 'request-synced-resource-list'
  | 'response-synced-resource'
  | 'request-update'
  | 'request-resource-resync'
  | 'processed'
  | 'response'
  | 'error'
  | 'ping'
  | 'pong';

/** The type of an event by its short name. */
export const typed = (name: EventName): string => `${prefix}${name}`;

/** The short name; empty for types of other systems. */
export const nameOfType = (type: string): string => (type.startsWith(prefix) ? type.slice(prefix.length) : '');
