/** The parts that a process of `server` follows the fleet with: what simulations run instead of the whole server. */
export { Server } from '../server.ts';
export { ServerState } from '../state/server-state.ts';
export { endpointOf } from './api/endpoints.ts';
export type { KeyedViewer } from './applications/application-index.ts';
export { readFilter } from './applications/filter.ts';
export { FleetIndex } from './applications/fleet-index.ts';
export { FacetQueries, pageOf } from './applications/queries.ts';
export { QueryValues } from './http/query-values.ts';
export { EventHub } from './stream/event-hub.ts';
export type { EventStream, StreamSink } from './stream/event-stream.ts';
