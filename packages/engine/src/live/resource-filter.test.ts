import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultFilter, excludedIn, type ResourceFilter } from './resource-filter.ts';

const filter = (exclusions: ResourceFilter['exclusions'], inclusions: ResourceFilter['inclusions'] = []) =>
  excludedIn('https://prod.example', { exclusions, inclusions });

const cases: [what: string, of: ReturnType<typeof filter>, excluded: string[], not: string[]][] = [
  [
    'no entries',
    filter([]),
    ['/Event', 'events.k8s.io/Event', 'metrics.k8s.io/PodMetrics', 'coordination.k8s.io/Lease'],
    ['/Endpoints', 'apps/Deployment'],
  ],
  [
    'the defaults',
    excludedIn('x', defaultFilter),
    ['/Endpoints', 'discovery.k8s.io/EndpointSlice', 'cilium.io/CiliumEndpoint'],
    ['/Service', 'cilium.io/CiliumNetworkPolicy'],
  ],
  [
    'a kind in a group',
    filter([{ apiGroups: ['apps'], kinds: ['Deployment'] }]),
    ['apps/Deployment'],
    ['apps/StatefulSet', 'x/Deployment'],
  ],
  [
    'groups by glob',
    filter([{ apiGroups: ['*.crossplane.io'], kinds: ['*'] }]),
    ['s3.aws.crossplane.io/Bucket'],
    ['crossplane.io/X'],
  ],
  ['kinds of any group', filter([{ kinds: ['Secret'] }]), ['/Secret', 'x/Secret'], ['/ConfigMap']],
  ['this cluster', filter([{ kinds: ['Secret'], clusters: ['https://prod.*'] }]), ['/Secret'], []],
  ['another cluster', filter([{ kinds: ['Secret'], clusters: ['https://dev.*'] }]), [], ['/Secret']],
  ['only included kinds', filter([], [{ apiGroups: ['apps'] }]), ['/ConfigMap'], ['apps/Deployment']],
  [
    'exclusions take precedence over inclusions',
    filter([{ kinds: ['Deployment'] }], [{ apiGroups: ['apps'] }]),
    ['apps/Deployment'],
    ['apps/StatefulSet'],
  ],
  [
    'inclusions of other clusters',
    filter([], [{ apiGroups: ['apps'], clusters: ['https://dev.*'] }]),
    [],
    ['/ConfigMap'],
  ],
];
for (const [what, isExcluded, excluded, not] of cases) {
  test(`filtered: ${what}`, () => {
    const is = (text: string): boolean =>
      isExcluded(text.slice(0, text.indexOf('/')), text.slice(text.indexOf('/') + 1));
    for (const kind of excluded) assert.equal(is(kind), true, kind);
    for (const kind of not) assert.equal(is(kind), false, kind);
  });
}
