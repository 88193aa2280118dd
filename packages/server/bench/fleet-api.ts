import { fork } from 'node:child_process';
import type { Figure } from '../../../scripts/bench.ts';
import { facets, flows, lists } from './fleet-queries.ts';
import { answer, MeasuredServer, percentile } from './measured-server.ts';

const perSecond = 200;
const streams = 200;
const base = '/api/fairlead/v1';

/**
 * The fleet API with many Applications whose status changes all the time, while clients follow the event stream: `npm run bench -- fleet [APPS] [SECONDS]`,
 * 10,000 and 20 by default. The server with its cluster, the clients of streams and who asks are three processes. The caller has its rights by project.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const [apps = 10_000, seconds = 20] = args.filter((arg) => /^\d+$/u.test(arg)).map(Number);
  yield* indexCost(apps);
  const server = await MeasuredServer.start(apps);
  const clients = fork(new URL('./stream-clients.ts', import.meta.url), [String(streams)], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    await server.signIn('viewer', 'viewer-password');
    const opened = answer(clients, 'opened');
    clients.send({ ask: 'open', ...server.address });
    await opened;
    yield* queries(server, apps, seconds);
    const arrived = answer(clients, 'arrived');
    const latency = answer(clients, 'latency');
    clients.send({ ask: 'count' });
    const expected = perSecond * seconds * streams;
    yield {
      name: `${perSecond} changes/s to ${streams} streams: events that arrived`,
      value: await arrived,
      unit: `of ${expected}`,
      atLeast: expected,
      atMost: expected,
    };
    yield { name: 'the same: p99 until a client has it', value: await latency, unit: 'ms', atMost: 1_000 };
  } finally {
    clients.kill();
    server.kill();
  }
}

async function* queries(server: MeasuredServer, apps: number, seconds: number): AsyncGenerator<Figure> {
  let isDone = false;
  const before = await server.ask('cpu');
  const startedAt = performance.now();
  const changing = server.ask('status', { perSecond, seconds }).then(() => {
    isDone = true;
  });
  const times = { list: Array.of<number>(), facet: Array.of<number>(), flow: Array.of<number>() };
  const [listed, counted, followed] = [lists(apps), facets, flows(apps)];
  for (let i = 0; !isDone; i++) {
    times.list.push((await server.read(base + listed[i % listed.length])).ms);
    times.facet.push((await server.read(base + counted[i % counted.length])).ms);
    times.flow.push((await server.read(base + followed[i % followed.length])).ms);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await changing;
  const took = (performance.now() - startedAt) / 1_000;
  const cpu = ((await server.ask('cpu')) - before) / took;
  for (const [name, values] of Object.entries(times)) {
    const label = `${name} query, ${apps} Applications, ${perSecond} status changes/s, ${streams} streams`;
    yield { name: `${label}: p50`, value: percentile(values, 50), unit: 'ms', note: `${values.length} requests` };
    yield { name: 'the same: p99', value: percentile(values, 99), unit: 'ms', atMost: 50 };
  }
  yield { name: 'status changes that the machine has made', value: (perSecond * seconds) / took, unit: 'each second' };
  yield { name: 'CPU time of server, cluster and changes', value: cpu, unit: 'ms each second' };
}

/** In a separate process: what the index and a full log of events take beside the Applications, and what queries cost without anything else. */
async function* indexCost(apps: number): AsyncGenerator<Figure> {
  const child = fork(new URL('./fleet-index.ts', import.meta.url), [String(apps)], {
    execArgv: ['--expose-gc', '--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [index, log, list, facet] = ['index', 'log', 'list', 'facet'].map((ask) => answer(child, ask));
  const perApps = 10_000 / apps;
  yield {
    name: 'memory of the index per 10,000 Applications',
    value: (Number(await index) / 1e6) * perApps,
    unit: 'MB',
  };
  yield {
    name: 'the same with all orders and a full log of events',
    value: Number(await log) / 1e6,
    unit: 'MB',
    atMost: 60,
  };
  yield { name: 'CPU time of the most expensive list query', value: Number(await list), unit: 'ms', atMost: 50 };
  yield { name: 'CPU time of the most expensive facet query', value: Number(await facet), unit: 'ms', atMost: 50 };
}
