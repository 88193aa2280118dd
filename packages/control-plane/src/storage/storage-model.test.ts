import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { openFileStorage } from './file-storage.ts';
import { openMemoryStorage } from './memory-storage.ts';
import type { Storage, StorageEvent } from './storage.ts';
import { dataOf, manualClock, put, remove } from './storage-samples.ts';

const resources = ['core/configmaps', 'apps/deployments'];
const namespaces = ['a', 'a-b'];
const names = ['x', 'y', 'z'];

const key = fc.record({
  resource: fc.constantFrom(...resources),
  namespace: fc.constantFrom(...namespaces),
  name: fc.constantFrom(...names),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), key, value: fc.string({ maxLength: 5 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      resource: fc.constantFrom(...resources),
      back: fc.nat({ max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('past' as const),
      resource: fc.constantFrom(...resources),
      namespace: fc.option(fc.constantFrom(...namespaces), { nil: undefined }),
      back: fc.nat({ max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reopen' as const, 'crash' as const) }) },
);

interface Entry {
  readonly revision: number;
  readonly type: string;
  readonly resource: string;
  readonly key: string;
  readonly value: string | undefined;
}

/** The simplest correct model: all writes in order, from which every response is computed. */
class Model {
  readonly entries: Entry[] = [];
  opened: number;

  constructor(opened: number) {
    this.opened = opened;
  }

  stateAt(revision: number, resource: string): Map<string, string> {
    const state = new Map<string, string>();
    for (const entry of this.entries) {
      if (entry.revision > revision || entry.resource !== resource) continue;
      if (entry.value === undefined) state.delete(entry.key);
      else state.set(entry.key, entry.value);
    }
    return state;
  }

  list(revision: number, resource: string, namespace?: string): string[] {
    return [...this.stateAt(revision, resource)]
      .filter(([key]) => namespace === undefined || key.startsWith(`${namespace}/`))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}=${value}`);
  }

  events(after: number, resource: string): string[] {
    return this.entries
      .filter((entry) => entry.resource === resource && entry.revision > after)
      .map((entry) => `${entry.revision} ${entry.type} ${entry.key}`);
  }
}

interface Setup {
  readonly open: () => Promise<Storage>;
  /** The storage after a crash at this time. */
  readonly afterCrash?: (storage: Storage) => Promise<Storage>;
}

async function agree(steps: readonly StepOf[], setup: Setup): Promise<void> {
  let storage = await setup.open();
  const model = new Model(storage.revision);
  const pending: Promise<void>[] = [];
  let watches: { resource: string; from: number; received: string[] }[] = [];
  const settle = () => Promise.all(pending.splice(0));
  const record = (type: string, { resource, namespace, name }: KeyOf, value: string | undefined, revision: number) =>
    model.entries.push({ revision, type, resource, key: `${namespace}/${name}`, value });
  for (const each of steps) {
    switch (each.do) {
      case 'put':
      case 'delete': {
        const { resource, namespace, name } = each.key;
        const before = model.stateAt(Infinity, resource).has(`${namespace}/${name}`);
        assert.equal(storage.head(resource, namespace, name) !== undefined, before);
        if (each.do === 'delete' && !before) break;
        const { revision, durable } =
          each.do === 'put'
            ? put(storage, name, each.value, namespace, resource)
            : remove(storage, name, namespace, resource);
        assert.ok(revision > (model.entries.at(-1)?.revision ?? 0));
        if (each.do === 'put') record(before ? 'MODIFIED' : 'ADDED', each.key, each.value, revision);
        else record('DELETED', each.key, undefined, revision);
        pending.push(durable);
        break;
      }
      case 'watch': {
        const from = storage.revision - each.back;
        const received: string[] = [];
        const onEvent = (event: StorageEvent) =>
          received.push(`${event.revision} ${event.type} ${event.stored.namespace}/${event.stored.name}`);
        const watch = storage.watch(each.resource, from, onEvent);
        assert.equal(watch === undefined, from < model.opened);
        if (watch) watches.push({ resource: each.resource, from, received });
        break;
      }
      case 'past': {
        const revision = storage.revision - each.back;
        const past = storage.listAt(each.resource, revision, each.namespace);
        const expected = revision < model.opened ? undefined : model.list(revision, each.resource, each.namespace);
        assert.deepEqual(
          past?.map((stored) => `${stored.namespace}/${stored.name}=${dataOf(stored)}`),
          expected,
        );
        break;
      }
      case 'settle':
        await settle();
        assert.equal(storage.revision, Math.max(model.opened, model.entries.at(-1)?.revision ?? 0));
        break;
      default: {
        if (!setup.afterCrash) break;
        await settle();
        const highest = storage.revision;
        checkWatches(watches, model);
        watches = [];
        if (each.do === 'crash') storage = await setup.afterCrash(storage);
        else {
          await storage.close();
          storage = await setup.open();
        }
        assert.ok(storage.revision >= highest);
        model.opened = storage.revision;
      }
    }
    for (const resource of resources) {
      assert.deepEqual(
        [...storage.heads(resource)].map((s) => `${s.namespace}/${s.name}=${dataOf(s)}`).sort(),
        [...model.stateAt(Infinity, resource)].map(([key, value]) => `${key}=${value}`).sort(),
      );
    }
  }
  await settle();
  for (const resource of resources) {
    assert.deepEqual(
      storage.list(resource).map((stored) => `${stored.namespace}/${stored.name}=${dataOf(stored)}`),
      model.list(Infinity, resource),
    );
  }
  checkWatches(watches, model);
  await storage.close();
}

function checkWatches(watches: readonly { resource: string; from: number; received: string[] }[], model: Model): void {
  for (const { resource, from, received } of watches) assert.deepEqual(received, model.events(from, resource));
}

type KeyOf = { resource: string; namespace: string; name: string };
type StepOf = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('memory storage agrees with the model', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) =>
      agree(steps, { open: async () => openMemoryStorage({ clock: manualClock() }) }),
    ),
    { numRuns: 200 },
  ));

test('file storage agrees with the model, across restarts and crashes', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      const root = mkdtempSync(join(tmpdir(), 'fairlead-model-'));
      let generation = 0;
      const open = () =>
        openFileStorage({
          dir: join(root, String(generation)),
          clock: manualClock(),
          report: (message) => assert.fail(message),
          snapshotAfterBytes: 1_500,
        });
      const afterCrash = async (storage: Storage) => {
        const source = join(root, String(generation++));
        cpSync(source, join(root, String(generation)), { recursive: true });
        await storage.close();
        return open();
      };
      try {
        await agree(steps, { open, afterCrash });
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: 60 },
  ));
