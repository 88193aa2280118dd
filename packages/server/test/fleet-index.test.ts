/** The index of Applications after random changes, compared with a count of all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApplicationSummary } from '../src/fleet/api/application-shapes.ts';
import { endpoints, sortKeys } from '../src/fleet/api/endpoints.ts';
import { ApplicationIndex, type Viewer } from '../src/fleet/applications/application-index.ts';
import { facetCounts } from '../src/fleet/applications/facet-counts.ts';
import { matchesFilter, readFilter } from '../src/fleet/applications/filter.ts';
import { QueryValues } from '../src/fleet/http/query-values.ts';
import { recordFrom, type Sample, sampleOf, samples } from './support/records.ts';

const filterOf = (query: string) => readFilter(QueryValues.read(new URLSearchParams(query), endpoints.getFacets.query));

const changes = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('put'), sample: samples }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('remove'), sample: samples }) },
  ),
  { maxLength: 40 },
);

const filters = fc.record({
  health: fc.subarray(['Healthy', 'Degraded', 'Missing']),
  project: fc.subarray(['default', 'shop', 'secret']),
  tenant: fc.subarray(['', 'tenant-t1']),
  cluster: fc.subarray(['east', 'https://west']),
  team: fc.subarray(['red', 'blue']),
  q: fc.constantFrom('', 'we', 'web', 'web-2', 'team=red', 'EAST', 'nothing'),
});
type Asked = typeof filters extends fc.Arbitrary<infer T> ? T : never;

function queryOf({ team, q, ...plain }: Asked): string {
  const query = new URLSearchParams({ q });
  for (const [name, values] of Object.entries(plain)) for (const value of values) query.append(name, value);
  for (const value of team) query.append('label', `team=${value}`);
  return query.toString();
}

const viewers: Readonly<Record<string, Viewer>> = {
  everybody: { reach: () => 'all', allows: () => true },
  shop: {
    reach: (project) => (project === 'shop' ? 'all' : 'none'),
    allows: ({ summary }) => summary.project === 'shop',
  },
  some: {
    reach: (project) => (project === 'shop' ? 'all' : 'some'),
    allows: ({ summary }) => summary.project === 'shop' || summary.name.startsWith('web'),
  },
};

/** The properties of a sample that are counted, in a separate implementation. */
const countedBy: Readonly<Record<string, (sample: Sample) => string>> = {
  sync: ({ sync }) => sync,
  health: ({ health }) => health,
  project: ({ project }) => project,
  tenant: ({ tenant }) => (tenant === '' ? '' : `tenant-${tenant}`),
  cluster: ({ cluster }) => cluster,
  namespace: ({ namespace }) => namespace,
  autoSync: ({ automated }) => String(automated),
  operation: ({ phase }) => phase || 'None',
  team: ({ team }) => team,
};

function matches(asked: Asked, sample: Sample, ignored?: string): boolean {
  const isOne = (property: 'health' | 'project' | 'tenant' | 'team'): boolean =>
    ignored === property ||
    asked[property].length === 0 ||
    asked[property].includes(countedBy[property]?.(sample) ?? '');
  const onCluster =
    ignored === 'cluster' ||
    asked.cluster.length === 0 ||
    asked.cluster.some((one) => one === sample.cluster || one === `https://${sample.cluster}`);
  const texts = [sample.name, sample.namespace, sample.project, sample.cluster, `https://${sample.cluster}`, 'shop'];
  const all = [...texts, 'https://git.example.com/shop', ...(sample.team === '' ? [] : [`team=${sample.team}`])];
  const tenant = sample.tenant === '' ? [] : [`managed-gitops.redhat.com/tenant=${sample.tenant}`];
  const isFound = asked.q === '' || [...all, ...tenant].some((text) => text.includes(asked.q.toLowerCase()));
  return isOne('health') && isOne('project') && isOne('tenant') && isOne('team') && onCluster && isFound;
}

function counted(all: readonly Sample[], property: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const sample of all) {
    const value = countedBy[property]?.(sample) ?? '';
    if (value !== '') counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

function changed(steps: typeof changes extends fc.Arbitrary<infer T> ? T : never) {
  const index = new ApplicationIndex();
  const truth = new Map<string, Sample>();
  // Orders that exist before changes are kept with each of them.
  for (const key of sortKeys) index.order(key);
  for (const { type, sample } of steps) {
    const key = `${sample.namespace}/${sample.name}`;
    if (type === 'put') {
      index.put(recordFrom(sample));
      truth.set(key, sample);
    } else {
      index.remove(key);
      truth.delete(key);
    }
  }
  return { index, all: [...truth.values()] };
}

test('facets equal a count of all Applications after any changes, for any filter and caller', () => {
  fc.assert(
    fc.property(changes, filters, fc.constantFrom(...Object.values(viewers)), (steps, asked, viewer) => {
      const { index, all } = changed(steps);
      const visible = all.filter((sample) => viewer.allows(recordFrom(sample)));
      const counts = facetCounts(index, filterOf(queryOf(asked)), viewer);
      assert.equal(counts.total, visible.filter((sample) => matches(asked, sample)).length);
      const { team = {} } = counts.labels;
      for (const [property, actual] of Object.entries({ ...counts, team })) {
        if (!Object.hasOwn(countedBy, property)) continue;
        const expected = counted(
          visible.filter((sample) => matches(asked, sample, property)),
          property,
        );
        assert.deepEqual({ ...Object(actual) }, expected, property);
      }
    }),
    { numRuns: 300 },
  );
});

test('a selection has exactly the Applications that match one by one', () => {
  fc.assert(
    fc.property(changes, filters, fc.constantFrom(...Object.values(viewers)), (steps, asked, viewer) => {
      const { index } = changed(steps);
      const filter = filterOf(queryOf(asked));
      const nameOf = ({ namespace, name }: ApplicationSummary): string => `${namespace}/${name}`;
      const selected = index.select(index.constraints(filter), viewer).map(({ record }) => nameOf(record.summary));
      const expected = [...index.entries()]
        .filter(({ record }) => matchesFilter(filter, record) && viewer.allows(record))
        .map(({ record }) => nameOf(record.summary));
      assert.deepEqual(selected.sort(), expected.sort());
    }),
    { numRuns: 300 },
  );
});

test('an order that is kept with each change equals one that is made at the end', () => {
  fc.assert(
    fc.property(changes, fc.constantFrom(...sortKeys), fc.boolean(), (steps, key, isReversed) => {
      const { index } = changed(steps);
      const order = index.order(key);
      const expected = order.sorted(index.entries());
      assert.deepEqual([...order.after(undefined, isReversed)], isReversed ? expected.toReversed() : expected);
    }),
    { numRuns: 200 },
  );
});

test('a facet with too many values lists those with the highest counts, and reports it', () => {
  const index = new ApplicationIndex();
  for (let i = 0; i < 1_500; i++) index.put(recordFrom(sampleOf({ name: `a${i}`, team: `team-${i % 1_200}` })));
  const counts = facetCounts(index, filterOf(''), { reach: () => 'all', allows: () => true });
  const teams = Object.entries(counts.labels['team'] ?? {});
  assert.equal(teams.length, 1_000);
  assert.equal(teams.filter(([, count]) => count === 2).length, 300);
  assert.deepEqual(counts.truncated, ['labels.team']);
});
