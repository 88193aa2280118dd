import type { Calls } from '../rpc/call.ts';
import type { Server } from '../server.ts';
import { readSetCalls } from './applicationset/read.ts';
import { writeSetCalls } from './applicationset/write.ts';

export { setStreams as applicationSetStreams } from './applicationset/watch.ts';

export const applicationSetCalls = (server: Server): Calls => ({ ...readSetCalls(server), ...writeSetCalls(server) });
