import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planSlices, type SlicePlan } from './plan-slices.ts';
import { type Endpoint, type EndpointGroup, portsKey, type Slice } from './slices.ts';

const endpoint = (at: number, ready = true): Endpoint => ({
  addresses: [`10.0.${at >> 8}.${at & 255}`],
  conditions: { ready, serving: ready, terminating: false },
  targetRef: { kind: 'Pod', namespace: 'default', name: `p${at}`, uid: `u${at}` },
});
const group = (endpoints: Endpoint[], port = 80): EndpointGroup => ({
  addressType: 'IPv4',
  ports: [{ name: '', protocol: 'TCP', port }],
  endpoints,
});
const range = (from: number, to: number): Endpoint[] =>
  Array.from({ length: to - from }, (_, at) => endpoint(from + at));

let made = 0;
/** The slices after a plan is executed. */
function carriedOut(slices: readonly Slice[], plan: SlicePlan): Slice[] {
  const replaced = new Set([...plan.remove, ...plan.write.flatMap(({ replaces }) => replaces ?? [])]);
  const written = plan.write.map(
    ({ replaces, addressType, ports, endpoints }): Slice => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: replaces?.metadata.name ?? `s-${made++}` },
      addressType,
      ports: ports.length > 0 ? [...ports] : null,
      endpoints: endpoints.length > 0 ? [...endpoints] : null,
    }),
  );
  return [...slices.filter((slice) => !replaced.has(slice)), ...written];
}
const plan = (desired: readonly EndpointGroup[], slices: readonly Slice[]): SlicePlan =>
  planSlices(desired, slices, () => true, ['IPv4']);
const apply = (desired: readonly EndpointGroup[], slices: readonly Slice[] = []): Slice[] =>
  carriedOut(slices, plan(desired, slices));

test('a Service without endpoints has one empty slice, and keeps it', () => {
  const slices = apply([]);
  assert.deepEqual(
    slices.map(({ ports, endpoints }) => ({ ports, endpoints })),
    [{ ports: null, endpoints: null }],
  );
  assert.deepEqual(plan([], slices), { write: [], remove: [] });
});

test('the empty slice becomes the first real one, and the last real one becomes empty', () => {
  const empty = apply([]);
  const full = apply([group(range(0, 3))], empty);
  assert.equal(full.length, 1);
  assert.equal(full[0]!.metadata.name, empty[0]!.metadata.name);
  const again = apply([], full);
  assert.deepEqual(
    again.map(({ metadata, endpoints }) => [metadata.name, endpoints]),
    [[empty[0]!.metadata.name, null]],
  );
});

test('a hundred endpoints fill a slice', () => {
  const slices = apply([group(range(0, 250))]);
  assert.deepEqual(
    slices.map(({ endpoints }) => endpoints!.length),
    [100, 100, 50],
  );
});

test('a change of one endpoint writes one slice', () => {
  const slices = apply([group(range(0, 250))]);
  const changed = [...range(0, 120), endpoint(120, false), ...range(121, 250)];
  const { write, remove } = plan([group(changed)], slices);
  assert.equal(write.length, 1);
  assert.equal(remove.length, 0);
  assert.equal(write[0]!.replaces, slices[1]);
});

test('a new endpoint is added to a slice with free space', () => {
  const slices = apply([group(range(0, 250))]);
  const { write } = plan([group(range(0, 251))], slices);
  assert.deepEqual(
    write.map(({ replaces }) => replaces?.metadata.name),
    [slices[2]!.metadata.name],
  );
});

test('each set of ports has separate slices', () => {
  const slices = apply([group(range(0, 2)), group(range(2, 3), 81)]);
  assert.deepEqual(
    slices.map(({ ports, endpoints }) => [ports![0]!.port, endpoints!.length]),
    [
      [80, 2],
      [81, 1],
    ],
  );
});

test('changed labels are written even if the endpoints are unchanged', () => {
  const slices = apply([group(range(0, 3))]);
  const { write } = planSlices([group(range(0, 3))], slices, () => false, ['IPv4']);
  assert.equal(write.length, 1);
});

const someEndpoints = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.boolean()), {
  selector: ([at]) => at,
  maxLength: 300,
});
const someGroups = fc.array(fc.tuple(fc.integer({ min: 80, max: 82 }), someEndpoints), { maxLength: 3 }).map((groups) =>
  [...new Map(groups).entries()].map(([port, list]) =>
    group(
      list.map(([at, ready]) => endpoint(at, ready)),
      port,
    ),
  ),
);

test('from any state to any other: exactly the desired endpoints, no duplicates, no slice over the limit, then no change', () => {
  fc.assert(
    fc.property(fc.array(someGroups, { minLength: 1, maxLength: 4 }), (states) => {
      let slices: Slice[] = [];
      for (const desired of states) {
        slices = apply(desired, slices);
        const found = slices.flatMap(({ ports, endpoints }) =>
          (endpoints ?? []).map((each) => [portsKey(ports), each]),
        );
        const asked = desired.flatMap(({ ports, endpoints }) => endpoints.map((each) => [portsKey([...ports]), each]));
        const sorted = (list: unknown[]) => list.map((each) => JSON.stringify(each)).sort();
        assert.deepEqual(sorted(found), sorted(asked));
        assert.ok(slices.length > 0 && slices.every(({ endpoints }) => (endpoints?.length ?? 0) <= 100));
        assert.deepEqual(plan(desired, slices), { write: [], remove: [] });
      }
    }),
    { numRuns: 60 },
  );
});
