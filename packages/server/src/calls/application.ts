import type { Calls, ClientStreamCalls, StreamCalls } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { actionCalls } from './application/actions.ts';
import { deleteCalls } from './application/delete.ts';
import { eventCalls } from './application/events.ts';
import { linkCalls } from './application/links.ts';
import { logStreams } from './application/logs.ts';
import { manifestCalls, manifestClientStreams } from './application/manifests.ts';
import { operationCalls } from './application/operation.ts';
import { readCalls } from './application/read.ts';
import { resourceCalls } from './application/resources.ts';
import { revisionCalls } from './application/revisions.ts';
import { serverSideDiffCalls } from './application/server-side-diff.ts';
import { syncWindowCalls } from './application/sync-windows.ts';
import { watchStreams } from './application/watch.ts';
import { treeStreams } from './application/watch-tree.ts';
import { writeCalls } from './application/write.ts';

export const applicationCalls = (server: Server): Calls => ({
  ...readCalls(server),
  ...writeCalls(server),
  ...deleteCalls(server),
  ...operationCalls(server),
  ...syncWindowCalls(server),
  ...manifestCalls(server),
  ...resourceCalls(server),
  ...actionCalls(server),
  ...revisionCalls(server),
  ...serverSideDiffCalls(server),
  ...eventCalls(server),
  ...linkCalls(server),
});

export const applicationStreams = (server: Server): StreamCalls => ({
  ...watchStreams(server),
  ...treeStreams(server),
  ...logStreams(server),
});

export const applicationClientStreams = (server: Server): ClientStreamCalls => manifestClientStreams(server);
