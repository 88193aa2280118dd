export { Workplace } from './agent/workplace.ts';
export * from './core/kinds.ts';
export type { Message } from './core/message.ts';
export { type Connection, Link, type LinkReport, type Peer } from './link/link.ts';
export type { LinkSettings } from './link/make-link.ts';
export { admit } from './principal/admission.ts';
export { Hub } from './principal/hub.ts';
