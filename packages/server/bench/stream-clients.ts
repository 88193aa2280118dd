/** Clients of the event stream, as a child process: reading must not delay who measures queries. */
import { type MeasuredStream, openStream, percentile, settled } from './measured-server.ts';

const count = Number(process.argv[2]);
let streams: readonly MeasuredStream[] = [];

interface Request {
  readonly ask: 'open' | 'count';
  readonly port?: number;
  readonly token?: string;
}

async function open(port: number, token: string): Promise<void> {
  const path = '/api/fairlead/v1/events?types=application';
  streams = Array.from({ length: count }, () => openStream({ port, token }, path, 'revision'));
  await Promise.all(streams.map(({ opened }) => opened));
  process.send?.({ ask: 'opened', value: count });
}

async function report(): Promise<void> {
  await settled(() => streams.reduce((sum, { latencies }) => sum + latencies.length, 0));
  const all = streams.flatMap(({ latencies }) => latencies);
  process.send?.({ ask: 'arrived', value: all.length });
  process.send?.({ ask: 'latency', value: percentile(all, 99) });
}

process.on('message', ({ ask, port = 0, token = '' }: Request) => void (ask === 'open' ? open(port, token) : report()));
process.on('disconnect', () => process.exit(0));
