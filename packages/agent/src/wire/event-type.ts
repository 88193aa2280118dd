const prefix = 'io.argoproj.argocd-agent.event.';

/** The type of an event by its short name. */
export const typed = (name: string): string => `${prefix}${name}`;

/** The short name; empty for types of other systems. */
export const nameOfType = (type: string): string => (type.startsWith(prefix) ? type.slice(prefix.length) : '');
