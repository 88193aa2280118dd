import type { Figure } from '../../../scripts/bench.ts';
import { pageSize } from './fleet.ts';
import { MeasuredServer, percentile, settled } from './measured-server.ts';

/**
 * The API server with many Applications: `npm run bench -- api [APPS]`, 10,000 by default. Argo CD's list has no pages: a page here is the list of one project
 * (100 Applications), as a client gets it with `projects=NAME`. The full list is limited to the fields that Argo CD's page of all Applications asks for. The
 * server, its cluster and who updates run in one child process, the clients in this one.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const apps = Number(args.find((arg) => /^\d+$/u.test(arg)) ?? 10_000);
  const server = await MeasuredServer.start(apps);
  try {
    await server.signIn('viewer', 'viewer-password');
    yield* pages(server, apps);
    yield* fullList(server, apps);
    yield* streams(server);
    yield* signIns(server);
  } finally {
    server.kill();
  }
}

/** As in the web application of Argo CD. */
const listFields = [
  'metadata.resourceVersion',
  ...[
    'metadata.name',
    'metadata.namespace',
    'metadata.annotations',
    'metadata.labels',
    'metadata.creationTimestamp',
    'metadata.deletionTimestamp',
    'spec',
    'operation.sync',
    'status.sourceHydrator',
    'status.sync.status',
    'status.sync.revision',
    'status.health',
    'status.operationState.phase',
    'status.operationState.finishedAt',
    'status.operationState.operation.sync',
    'status.summary',
    'status.resources',
  ].map((field) => `items.${field}`),
].join(',');

const streamFields = ['type', ...listFields.split(',').map((field) => field.replace('items.', 'application.'))].join(
  ',',
);

async function* pages(server: MeasuredServer, apps: number): AsyncGenerator<Figure> {
  const projects = Math.ceil(apps / pageSize);
  const times: number[] = [];
  for (let i = 0; i < 500; i++) {
    const { ms } = await server.read(`/api/v1/applications?projects=team-${i % projects}`);
    times.push(ms);
  }
  yield {
    name: `list of one project of ${pageSize}, of ${apps} Applications: p50`,
    value: percentile(times, 50),
    unit: 'ms',
  };
  yield { name: 'the same: p99', value: percentile(times, 99), unit: 'ms', atMost: 50 };
}

async function* fullList(server: MeasuredServer, apps: number): AsyncGenerator<Figure> {
  await server.ask('lag');
  const before = await server.ask('memory');
  const first = await server.read(`/api/v1/applications?fields=${listFields}`);
  const peak = await server.ask('peak');
  const lag = await server.ask('lag');
  const again = await server.read(`/api/v1/applications?fields=${listFields}`);
  yield {
    name: `list of ${apps} Applications with the fields of the web application, first time`,
    value: first.ms,
    unit: 'ms',
    atMost: 1_500,
    note: `${(first.bytes / 1e6).toFixed(1)} MB`,
  };
  yield {
    name: 'the same: memory of the server at most above the start',
    value: (peak - before) / 1e6,
    unit: 'MB',
    atMost: 150,
  };
  yield { name: 'the same: longest delay of the event loop', value: lag, unit: 'ms', atMost: 250 };
  yield { name: 'the same again', value: again.ms, unit: 'ms', atMost: 1_500 };
}

async function* streams(server: MeasuredServer): AsyncGenerator<Figure> {
  // As the web application does: a list, and then what changes after it.
  const since = `resourceVersion=${await server.resourceVersion()}`;
  const clients = Array.from({ length: 100 }, (_, i) =>
    server.stream(`/api/v1/stream/applications?${since}${i % 2 === 0 ? `&fields=${streamFields}` : ''}`),
  );
  // Headers come with the first event that a client receives.
  let isOpen = false;
  const opened = Promise.all(clients.map((client) => client.opened)).then(() => {
    isOpen = true;
  });
  while (!isOpen) await server.ask('update', { perSecond: 10, seconds: 1 });
  await opened;
  await settled(() => clients.reduce((sum, { latencies }) => sum + latencies.length, 0));
  for (const { latencies } of clients) latencies.length = 0;
  const [perSecond, seconds] = [200, 10];
  const before = await server.ask('cpu');
  await server.ask('update', { perSecond, seconds });
  const cpu = (await server.ask('cpu')) - before;
  await settled(() => clients.reduce((sum, { latencies }) => sum + latencies.length, 0));
  const all = clients.flatMap(({ latencies }) => latencies);
  for (const { request } of clients) request.destroy();
  const expected = perSecond * seconds * clients.length;
  yield {
    name: `${perSecond} updates/s to ${clients.length} streams: p50 until a client has it`,
    value: percentile(all, 50),
    unit: 'ms',
  };
  yield { name: 'the same: p99', value: percentile(all, 99), unit: 'ms', atMost: 200 };
  yield { name: 'the same: CPU time of server, cluster and updates', value: cpu / seconds, unit: 'ms each second' };
  yield { name: 'the same: events that arrived', value: all.length, unit: `of ${expected}`, atLeast: expected };
}

async function* signIns(server: MeasuredServer): AsyncGenerator<Figure> {
  await server.ask('lag');
  const times: number[] = [];
  let isDone = false;
  const others = Promise.all(Array.from({ length: 10 }, () => server.signIn('viewer', 'viewer-password'))).then(() => {
    isDone = true;
  });
  while (!isDone) times.push((await server.read('/api/version')).ms);
  await others;
  yield {
    name: 'requests while ten users sign in at once: p99',
    value: percentile(times, 99),
    unit: 'ms',
    atMost: 100,
  };
  yield { name: 'the same: longest delay of the event loop', value: await server.ask('lag'), unit: 'ms', atMost: 100 };
}
