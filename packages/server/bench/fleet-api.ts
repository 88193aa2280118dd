import { fork } from 'node:child_process';
import type { Figure } from '../../../scripts/bench.ts';
import { facets, flows, lists } from './fleet-queries.ts';
import { answer, type MeasuredAnswer, MeasuredServer, percentile } from './measured-server.ts';

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
  const asked = { list: lists(apps), facet: facets, flow: flows(apps) };
  const answers = {
    list: Array.of<MeasuredAnswer>(),
    facet: Array.of<MeasuredAnswer>(),
    flow: Array.of<MeasuredAnswer>(),
  };
  for (let i = 0; !isDone; i++) {
    for (const kind of ['list', 'facet', 'flow'] as const)
      answers[kind].push(await server.read(base + asked[kind][i % asked[kind].length]));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await changing;
  const took = (performance.now() - startedAt) / 1_000;
  const cpu = ((await server.ask('cpu')) - before) / took;
  for (const [name, measured] of Object.entries(answers)) {
    const [times, busy] = [measured.map(({ ms }) => ms), measured.map(({ busyMs }) => busyMs)];
    const label = `${name} query, ${apps} Applications, ${perSecond} status changes/s, ${streams} streams`;
    yield { name: `${label}: p50`, value: percentile(times, 50), unit: 'ms', note: `${times.length} requests` };
    yield { name: `${name} query: p99`, value: percentile(times, 99), unit: 'ms', atMost: 50 };
    // On a machine with other work, this tells whether a miss is that of the server.
    yield { name: 'the same without waiting for a processor', value: percentile(busy, 99), unit: 'ms', atMost: 50 };
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
