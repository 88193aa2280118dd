import type { Calls } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { deleteCalls } from './application/delete.ts';
import { eventCalls } from './application/events.ts';
import { linkCalls } from './application/links.ts';
import { manifestCalls } from './application/manifests.ts';
import { operationCalls } from './application/operation.ts';
import { readCalls } from './application/read.ts';
import { syncWindowCalls } from './application/sync-windows.ts';
import { writeCalls } from './application/write.ts';

export { applicationStreams } from './application/watch.ts';

export const applicationCalls = (server: Server): Calls => ({
  ...readCalls(server),
  ...writeCalls(server),
  ...deleteCalls(server),
  ...operationCalls(server),
  ...syncWindowCalls(server),
  ...manifestCalls(server),
  ...eventCalls(server),
  ...linkCalls(server),
});
