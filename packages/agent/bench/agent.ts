import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../../../scripts/bench.ts';
import { TcpProxy } from '../test/support/tcp-proxy.ts';

/** A worker process and the commands that it accepts. */
class Worker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: { result?: unknown; error?: string }) => void>();
  #ids = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: { id: number; result?: unknown; error?: string }) =>
      this.#waiting.get(message.id)?.(message),
    );
  }

  static async start(): Promise<Worker> {
    const path = fileURLToPath(new URL('./worker.ts', import.meta.url));
    const worker = new Worker(
      fork(path, { execArgv: ['--expose-gc', '--no-warnings'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }),
    );
    await new Promise<void>((resolve) => worker.#waiting.set(0, () => resolve()));
    return worker;
  }

  call<T = void>(command: string, args: Record<string, unknown> = {}): Promise<T> {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        this.#waiting.delete(id);
        if (error) reject(new Error(`${command}: ${error}`));
        else resolve(result as T);
      });
      this.#child.send({ id, command, args });
    });
  }

  close(): void {
    this.#child.disconnect();
  }
}

const namespace = 'argocd';

/** The figures of the spec. `apps` and `agents` can be smaller for a quick run: `npm run bench -- agent 1000 50`. */
export const bench: Bench = async function* (args) {
  const apps = Number(args[0] ?? 10_000);
  const fleet = Number(args[1] ?? 500);
  yield* oneAgent(apps);
  yield* manyAgents(fleet);
};

async function* oneAgent(apps: number): ReturnType<Bench> {
  const [hub, edge, proxy] = await Promise.all([Worker.start(), Worker.start(), TcpProxy.start()]);
  try {
    const address = await hub.call<string>('principal');
    proxy.target = Number(address.split(':')[1]);
    await edge.call('join', { agent: 'edge', token: await hub.call('invite', { agent: 'edge' }) });
    await hub.call('create', { agent: 'edge', count: apps, revision: 'v1' });
    const cpu = () => Promise.all([hub.call<number>('cpu'), edge.call<number>('cpu')]);
    const before = await cpu();
    let began = performance.now();
    await edge.call('agent', { agent: 'edge', namespace });
    await edge.call('mirrored', { namespace, count: apps, revision: 'v1' });
    const first = performance.now() - began;
    const [onHub, onEdge] = (await cpu()).map((ms, index) => (ms - before[index]!) / apps);
    yield { name: 'processor time an event on the hub', value: onHub!, unit: 'ms' };
    yield { name: 'processor time an event on the agent, with its API server', value: onEdge!, unit: 'ms' };
    yield {
      name: 'events applied by one agent',
      value: apps / (first / 1000),
      unit: '/s',
      atLeast: 2_000,
      note: `${apps} Applications created on its first connect; argocd-agent's users measured 9.5/s`,
    };
    await edge.call('compared', { since: 0 });

    const edits = Math.min(2_000, apps);
    began = performance.now();
    const [ms] = await Promise.all([
      edge.call<number>('mirrored', { namespace, count: edits, revision: 'v2' }),
      hub.call('edit', { agent: 'edge', count: edits, revision: 'v2' }),
    ]);
    yield {
      name: 'edits applied while they are made',
      value: edits / (ms / 1000),
      unit: '/s',
      note: `${edits} edits on the hub, seen on the agent`,
    };

    yield* reconnect(edge, apps);

    await Promise.all([hub.call('stopPrincipal'), edge.call('stopAgents')]);
    const changed = Math.round(apps / 10);
    await hub.call('edit', { agent: 'edge', count: changed, revision: 'v3' });
    began = performance.now();
    await hub.call('principal');
    await edge.call('agent', { agent: 'edge', namespace });
    await edge.call('mirrored', { namespace, count: changed, revision: 'v3' });
    yield {
      name: 'both sides restarted, a tenth changed meanwhile: in agreement after',
      value: (performance.now() - began) / 1000,
      unit: 's',
      atMost: 10,
      note: `${changed} of ${apps} changed`,
    };
  } finally {
    hub.close();
    edge.close();
    await proxy.close();
  }
}

/** The cost of a reconnect without changes: the traffic until both sides know that they are equal. */
async function* reconnect(edge: Worker, apps: number): ReturnType<Bench> {
  await edge.call('stopAgents');
  await edge.call('agent', { agent: 'edge', namespace });
  await edge.call('connected', { count: 1 });
  await edge.call('compared', { since: 0 });
  const { bytes, ms } = await edge.call<{ bytes: number; ms: number }>('reconnect');
  yield {
    name: 'reconnect in agreement: on the stream',
    value: bytes,
    unit: 'bytes',
    atMost: 1_000,
    note: `${apps} Applications`,
  };
  yield { name: 'reconnect in agreement: until both know it', value: ms, unit: 'ms', atMost: 100 };
}

async function* manyAgents(fleet: number): ReturnType<Bench> {
  const [hub, edge] = await Promise.all([Worker.start(), Worker.start()]);
  try {
    await hub.call('principal');
    for (let i = 0; i < fleet; i++) {
      const agent = `agent-${i}`;
      await edge.call('join', { agent, token: await hub.call('invite', { agent }) });
      await hub.call('create', { agent, count: 10, revision: 'v1' });
      await edge.call('agent', { agent, namespace: agent });
    }
    await edge.call('connected', { count: fleet });
    await hub.call('up', { count: fleet });
    for (const agent of ['agent-0', `agent-${fleet - 1}`])
      await edge.call('mirrored', { namespace: agent, count: 10, revision: 'v1' });
    const rss = await hub.call<number>('memory');
    yield {
      name: `${fleet} agents on one principal`,
      value: rss / 2 ** 20,
      unit: 'MiB',
      atMost: 1_024,
      note: 'the whole process, with the API server of the hub in it and 10 Applications an agent',
    };
  } finally {
    hub.close();
    edge.close();
  }
}
