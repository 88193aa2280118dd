import { type Application, applicationKind, type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import type { Figure } from '../../../scripts/bench.ts';
import { type ApiProcess, startApiProcess, startServiceProcess } from '../test/support/processes.ts';
import { findPostgres, startRealPostgres } from '../test/support/real-postgres.ts';
import { createAll, deployment } from './deployments.ts';
import { prepareFlood } from './flood.ts';

const stuckMs = 60_000;
/** How often changes are measured, without the flood and with it, for `SECONDS` each. */
const rounds = 3;

/**
 * The figures of the service on a real, durable PostgreSQL, with the API server and the service each in a separate process and the
 * load from this one: `npm run bench -- service [TENANTS DEPLOYMENTS FLOOD SECONDS RATE]`, by default
 * `100 100 10000 20 100`.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const [tenants = 100, each = 100, count = 10_000, seconds = 20, rate = 100] = args.map(Number);
  const bin = await findPostgres();
  if (bin === undefined) throw new Error('the benchmark needs PostgreSQL: install it (Debian: postgresql)');
  const postgres = await startRealPostgres(bin, { durable: true });
  const api = await startApiProcess();
  try {
    const service = await startServiceProcess({
      server: api.server,
      ca: api.ca,
      token: api.token,
      databaseUrl: postgres.url,
      settings: { quotas: { deployments: 1_000_000, environments: 50, credentials: 50 }, selfHealing: false },
    });
    const empty = (await service.usage()).memory.heapUsed;
    const deployments = await fill(api, tenants, each);
    const kib = ((await service.usage()).memory.heapUsed - empty) / deployments.length / 1024;
    yield { name: `memory per idle deployment, of ${deployments.length}`, value: kib, unit: 'KiB', atMost: 4 };

    const load = new Load(api.client);
    const cpu = async (): Promise<number> => {
      const { user, system } = (await service.usage()).cpu;
      return (user + system) / 1000;
    };
    const before = await cpu();
    const calm = await middleOf(rounds, () => load.changes(deployments, rate, seconds));
    const perChange = ((await cpu()) - before) / (rate * seconds * rounds);
    yield { name: 'processor time of the service per change', value: perChange, unit: 'ms' };
    yield { name: `CR to Application at ${rate} changes/s, p50`, value: calm.p50, unit: 'ms', atMost: 20 };
    yield { name: `CR to Application at ${rate} changes/s, p99`, value: calm.p99, unit: 'ms', atMost: 100 };
    const up = await load.statuses(deployments, rate, seconds);
    yield { name: `status up at ${rate} changes/s, p50`, value: up.p50, unit: 'ms' };
    yield { name: `status up at ${rate} changes/s, p99`, value: up.p99, unit: 'ms', atMost: 1_000 };

    await api.namespace('flood');
    const { server, ca, token } = api;
    const flood = await prepareFlood({ server, ca, token, namespace: 'flood', count, atOnce: 64 });
    const flooded = performance.now();
    const [noisy] = await Promise.all([middleOf(rounds, () => load.changes(deployments, rate, seconds)), flood()]);
    const others = `others at ${rate} changes/s while one tenant creates ${count}`;
    yield { name: `p50 of ${others}`, value: noisy.p50, unit: 'ms' };
    yield { name: `p99 of ${others}`, value: noisy.p99, unit: 'ms' };
    yield { name: 'p99 of others, with the flood to without', value: noisy.p99 / calm.p99, unit: '×', atMost: 1.5 };
    await delivered(api, deployments.length + count);
    const floodSeconds = (performance.now() - flooded) / 1000;
    yield { name: `until all ${count} of the flood had their Application`, value: floodSeconds, unit: 's' };
    const findings = await service.audit();
    const note = findings.length > 0 ? { note: JSON.stringify(findings.slice(0, 3)) } : {};
    yield { name: 'disagreements that the audit finds', value: findings.length, unit: '', atMost: 0, ...note };
    await service.stop();
  } finally {
    await api.stop();
    await postgres.remove();
  }
}

async function fill(api: ApiProcess, tenants: number, each: number): Promise<GitOpsDeployment[]> {
  const desired: GitOpsDeployment[] = [];
  for (let tenant = 0; tenant < tenants; tenant++) {
    await api.namespace(`tenant-${tenant}`);
    for (let i = 0; i < each; i++) desired.push(deployment(`tenant-${tenant}`, `app-${i}`));
  }
  const made = await createAll(api.client, desired, 32);
  await delivered(api, made.length);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return made;
}

/** Waits until there are this many Applications, as long as their number grows. */
async function delivered(api: ApiProcess, desired: number): Promise<void> {
  const count = async (): Promise<number> => {
    const { items, remainingItemCount = 0 } = await api.client.list(applicationKind.type, {
      namespace: 'argocd',
      limit: 1,
    });
    return items.length + remainingItemCount;
  };
  for (let seen = 0, since = performance.now(); ; ) {
    const now = await count();
    if (now >= desired) return;
    if (now > seen) since = performance.now();
    seen = now;
    if (performance.now() - since > stuckMs) throw new Error(`${now} of ${desired} Applications, and no more come`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** The median round counts, so that outliers in both directions are ignored. */
async function middleOf(count: number, measure: () => Promise<Spread>): Promise<Spread> {
  const measured: Spread[] = [];
  for (let round = 0; round < count; round++) measured.push(await measure());
  return measured.sort((a, b) => a.p99 - b.p99)[Math.floor(count / 2)]!;
}

/** Changes at a steady rate, each timed from before its request until it is observed on the other side. */
class Load {
  readonly #client: ApiClient;
  readonly #waiting = new Map<string, (at?: number) => void>();
  /** The last change of each: one that is overwritten before it is observed does not count. */
  readonly #last = new Map<string, string>();
  #number = 0;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async changes(deployments: readonly GitOpsDeployment[], perSecond: number, seconds: number): Promise<Spread> {
    const stop = await this.#follow<Application>(applicationKind.type, ({ spec }) => spec.source?.path);
    const spread = await this.#atRate(deployments, perSecond, seconds, (mark, { metadata: { namespace = '', name } }) =>
      this.#client.patch(gitopsDeploymentKind.type, { namespace, name }, 'merge', {
        spec: { source: { path: mark } },
      }),
    );
    stop();
    return spread;
  }

  async statuses(deployments: readonly GitOpsDeployment[], perSecond: number, seconds: number): Promise<Spread> {
    const stop = await this.#follow<GitOpsDeployment>(
      gitopsDeploymentKind.type,
      ({ status }) => status?.health?.message,
    );
    const spread = await this.#atRate(deployments, perSecond, seconds, (mark, { metadata: { uid } }) => {
      const key = { namespace: 'argocd', name: `gitopsdepl-${uid}` };
      return this.#client.patch(applicationKind.type, key, 'merge', {
        status: { health: { status: 'Healthy', message: mark } },
      });
    });
    stop();
    return spread;
  }

  async #atRate(
    deployments: readonly GitOpsDeployment[],
    perSecond: number,
    seconds: number,
    change: (mark: string, deployment: GitOpsDeployment) => Promise<unknown>,
  ): Promise<Spread> {
    const times: number[] = [];
    const all: Promise<unknown>[] = [];
    const began = performance.now();
    for (let i = 0; i < perSecond * seconds; i++) {
      const dueIn = began + (i * 1000) / perSecond - performance.now();
      if (dueIn > 0) await new Promise((resolve) => setTimeout(resolve, dueIn));
      const mark = `mark-${this.#number++}`;
      const at = performance.now();
      // Spread over tenants and deployments, without changing a deployment twice while its change is in progress.
      const target = deployments[(this.#number * 7919) % deployments.length]!;
      const overtaken = this.#last.get(target.metadata.uid!) ?? '';
      this.#waiting.get(overtaken)?.();
      this.#waiting.delete(overtaken);
      this.#last.set(target.metadata.uid!, mark);
      all.push(
        new Promise<void>((resolve) =>
          this.#waiting.set(mark, (seen) => {
            if (seen !== undefined) times.push(seen - at);
            resolve();
          }),
        ),
      );
      all.push(change(mark, target));
    }
    await Promise.race([
      Promise.all(all),
      new Promise((_, reject) =>
        setTimeout(() => reject(new Error(`${this.#waiting.size} changes were never seen`)), 120_000),
      ),
    ]);
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    return { p50: at(0.5), p99: at(0.99) };
  }

  /** Watches only for marks: other work of this process would count against the measured ones. */
  async #follow<T extends KubeObject>(
    type: ResourceType,
    markOf: (object: T) => string | undefined,
  ): Promise<() => void> {
    const stop = new AbortController();
    const { resourceVersion } = await this.#client.list<T>(type, { limit: 1 });
    const events = this.#client.watch<T>(type, { resourceVersion, signal: stop.signal });
    void (async () => {
      for await (const event of events) {
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
        const mark = markOf(event.object) ?? '';
        const seen = this.#waiting.get(mark);
        if (!seen) continue;
        this.#waiting.delete(mark);
        seen(performance.now());
      }
    })().catch(() => {});
    return () => stop.abort();
  }
}
