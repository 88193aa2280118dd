import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiError, type KubeObject, keyOf } from '@fairlead/apimachinery';
import type { Lease } from '../leader-election/lease.ts';
import { silentLogger } from '../logger.ts';
import { type PublishOptions, publishRoleStatus } from './publish-role-status.ts';
import { RoleReport } from './role-report.ts';
import { isRunning, readRoleStatus, roleLabel, roleStatusAnnotation } from './role-status.ts';

/** Leases of one namespace; every request is answered at once. */
class Leases {
  readonly objects = new Map<string, Lease>();
  refuses = false;

  #check(): void {
    if (this.refuses) throw apiError(403, 'Forbidden', 'no');
  }

  get client(): PublishOptions['client'] {
    const missing = (): never => {
      throw apiError(404, 'NotFound', 'not found');
    };
    const put = async (_: unknown, object: KubeObject): Promise<never> => {
      this.#check();
      this.objects.set(keyOf(object), object);
      return object as never;
    };
    return {
      get: async (_, { namespace, name }) => (this.objects.get(`${namespace}/${name}`) ?? missing()) as never,
      list: async () => ({ items: [...this.objects.values()], metadata: {} }) as never,
      create: put,
      replace: put,
      delete: async (_, { namespace, name }) => {
        if (!this.objects.delete(`${namespace}/${name}`)) missing();
        return undefined as never;
      },
    };
  }
}

function publishing(leases: Leases, report: RoleReport) {
  const stop = new AbortController();
  let now = Date.UTC(2030, 0, 1);
  const waiting: (() => void)[] = [];
  const clock = {
    now: () => now,
    after: (_: number, run: () => void) => {
      waiting.push(run);
      return () => {};
    },
  };
  const ended = publishRoleStatus(
    {
      client: leases.client,
      namespace: 'argocd',
      role: 'controller',
      instance: 'host-1',
      version: '1.2.3',
      report,
      clock,
      log: silentLogger,
    },
    stop.signal,
  );
  const settle = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    settle,
    async next(ms: number) {
      await settle();
      now += ms;
      waiting.shift()?.();
      await settle();
    },
    now: () => now,
    async stop() {
      stop.abort();
      await ended;
    },
  };
}

test('a role reports its queues and its problem, again and again, and deletes its Lease when it stops', async () => {
  const leases = new Leases();
  const report = new RoleReport();
  let problem: string | undefined;
  report.queue('refresh', () => ({ depth: 4, oldestSeconds: 2 }));
  report.problem(() => problem);
  const running = publishing(leases, report);
  await running.settle();
  const read = () => readRoleStatus([...leases.objects.values()][0] ?? assert.fail('no Lease'));
  assert.deepEqual(read(), {
    role: 'controller',
    instance: 'host-1',
    version: '1.2.3',
    queues: [{ name: 'refresh', depth: 4, oldestSeconds: 2 }],
    reportedAt: running.now(),
  });
  problem = 'the database does not respond';
  await running.next(10_000);
  assert.equal(read()?.problem, problem);
  assert.equal(read()?.reportedAt, running.now());
  await running.stop();
  assert.equal(leases.objects.size, 0);
});

test('a report that is refused is tried again', async () => {
  const leases = new Leases();
  leases.refuses = true;
  const running = publishing(leases, new RoleReport());
  await running.settle();
  assert.equal(leases.objects.size, 0);
  leases.refuses = false;
  await running.next(10_000);
  assert.equal(leases.objects.size, 1);
  await running.stop();
});

test('the Lease of a process that crashed long ago is removed', async () => {
  const leases = new Leases();
  const old = (name: string, renewTime: string): Lease => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'argocd', labels: { [roleLabel]: 'controller' } },
    spec: { renewTime },
  });
  for (const lease of [old('gone', '2029-12-31T20:00:00.000000Z'), old('recent', '2029-12-31T23:59:00.000000Z')])
    leases.objects.set(keyOf(lease), lease);
  const running = publishing(leases, new RoleReport());
  await running.settle();
  assert.deepEqual(
    [...leases.objects.keys()].filter((key) => !key.includes('role')),
    ['argocd/recent'],
  );
  await running.stop();
});

test('reads reports that anybody may have written', () => {
  const lease = (annotation: string, renewTime?: string): Lease => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'x', labels: { [roleLabel]: 'images' }, annotations: { [roleStatusAnnotation]: annotation } },
    ...(renewTime ? { spec: { renewTime } } : {}),
  });
  const time = '2030-01-01T00:00:00.000000Z';
  assert.equal(readRoleStatus(lease('{}')), undefined, 'never renewed');
  for (const text of ['', '[', '"x"', '{"queues": [1, {"depth": "many"}]}'])
    assert.deepEqual(readRoleStatus(lease(text, time))?.queues, [], text);
  const status = readRoleStatus(lease('{}', time)) ?? assert.fail('no status');
  assert.equal(isRunning(status, status.reportedAt + 20_000), true);
  assert.equal(isRunning(status, status.reportedAt + 40_000), false);
});
