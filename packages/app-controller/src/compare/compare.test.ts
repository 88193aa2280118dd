import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppProject } from '@fairlead/api';
import { apiError, type JsonObject, type KubeObject } from '@fairlead/apimachinery';
import { assessHealth, createKinds, createTracker, type DiscoveredType, DryRunRefused, diff } from '@fairlead/engine';
import type { Manifest } from '@fairlead/render';
import { linksOf } from '../status/external-urls.ts';
import { resourceStatus } from '../status/resource-status.ts';
import { type CompareInput, compare as compareStates } from './compare.ts';
import { healthError } from './compare-reasons.ts';
import { type Targets, targetsOf } from './targets.ts';

const verbs = ['list', 'watch', 'delete'];
const types: DiscoveredType[] = [
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true, verbs },
  { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false, verbs },
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true, verbs },
];
const open: AppProject['spec'] = {
  destinations: [{ server: '*', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*' }],
};
const manifest = (kind: string, name: string, rest: object = {}, metadata: object = {}): Manifest => ({
  object: {
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
    kind,
    metadata: { name, ...metadata },
    ...rest,
  } as KubeObject & JsonObject,
  origin: { path: 'a.yaml', line: 1 },
});
const targets = (manifests: Manifest[], { namespace = 'web', spec = open } = {}): Targets =>
  targetsOf(manifests, {
    app: 'shop',
    namespace,
    kinds: createKinds(types),
    project: { apiVersion: '', kind: '', metadata: { name: 'p' }, spec },
    cluster: { server: 's', name: 'n' },
    mark: { key: tracker.key, set: (object, app) => tracker.mark(object, app) },
    isExcluded: () => false,
  });
const tracker = createTracker();
const compare = (input: Partial<CompareInput> & Pick<CompareInput, 'app' | 'targets' | 'live'>) =>
  compareStates({
    qualifiedName: 'argocd/shop',
    appOf: tracker.appOf,
    ownerOf: tracker.ownerOf,
    differ: diff,
    assess: assessHealth,
    ...input,
  });
/** The cluster after these targets were applied. */
const applied = ({ targets: list }: Targets): KubeObject[] => list.map(({ object }) => structuredClone(object));

test('if nothing can be compared, every object is Unknown, also one that does not exist', () => {
  const list = targets([manifest('ConfigMap', 'a'), manifest('ConfigMap', 'b')]);
  const live = applied(list).slice(0, 1);
  const problem = { message: 'failed to create diff normalizer: unexpected token ")"', advice: 'the expression' };
  const { sync, health, resources, conditions } = compare({ app: 'shop', targets: list, live, problem });
  assert.equal(sync, 'Unknown');
  assert.equal(health, 'Healthy');
  assert.deepEqual(
    resources.map(({ status }) => status),
    ['Unknown', 'Unknown'],
  );
  assert.deepEqual(conditions, [
    { type: 'ComparisonError', message: `Failed to compare desired state to live state: ${problem.message}` },
    { type: 'InvalidSettingWarning', message: 'the expression' },
  ]);
});

test('a dry run that the server rejects makes the object Unknown, and does not prevent a sync', () => {
  const list = targets([manifest('ConfigMap', 'a')]);
  const refusal = (cause?: Error) => () => {
    throw new Error('refused', { cause });
  };
  const conditionsOf = (differ: CompareInput['differ']) =>
    compare({ app: 'shop', targets: list, live: applied(list), differ }).conditions.map(
      ({ permitsSync }) => permitsSync,
    );
  assert.deepEqual(conditionsOf(refusal(new DryRunRefused(apiError(422, 'Invalid', 'invalid').status))), [true]);
  assert.deepEqual(conditionsOf(refusal()), [undefined]);
});

test('a failing health script is a condition that names where the script is configured', () => {
  const list = targets([manifest('ConfigMap', 'a')]);
  const scriptProblem = { advice: 'change the script in key', failed: true };
  const assess = () => ({ status: 'Unknown', message: '<string>:1: bad', scriptProblem }) as const;
  const { sync, resources, conditions } = compare({ app: 'shop', targets: list, live: applied(list), assess });
  assert.equal(sync, 'Synced');
  assert.deepEqual(healthError(resources), [
    {
      type: 'ComparisonError',
      message:
        'error setting app health: failed to get resource health for "ConfigMap" with name "a" in namespace "web": failed to get resource health for web/a: <string>:1: bad',
    },
  ]);
  assert.deepEqual(conditions, [
    { type: 'NotHealthy', message: 'ConfigMap web/a is Unknown: <string>:1: bad; change the script in key' },
  ]);
  assert.deepEqual(resourceStatus(resources[0]!).health, { status: 'Unknown', message: '<string>:1: bad' });
});

test('targets get their namespace and tracking id; cluster-scoped ones lose a namespace', () => {
  const { targets: made } = targets([
    manifest('ConfigMap', 'a'),
    manifest('ConfigMap', 'b', {}, { namespace: 'other' }),
    manifest('Namespace', 'c', {}, { namespace: 'web' }),
  ]);
  assert.deepEqual(
    made.map(({ object }) => object.metadata),
    [
      { name: 'a', namespace: 'web', annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:web/a' } },
      { name: 'b', namespace: 'other', annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:other/b' } },
      { name: 'c', annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/Namespace:/c' } },
    ],
  );
});

test('a manifest that did not change gives the identical target object', () => {
  const one = manifest('ConfigMap', 'a');
  assert.equal(targets([one]).targets[0]?.object, targets([one]).targets[0]?.object);
});

test('repeated, forbidden and namespace-less objects are reported as conditions', () => {
  const messages = (made: Targets): string[] => made.conditions.map(({ type, message }) => `${type}: ${message}`);
  const twice = targets([
    manifest('ConfigMap', 'a', { data: { n: '1' } }),
    manifest('ConfigMap', 'a', { data: { n: '2' } }),
  ]);
  assert.deepEqual(messages(twice), [
    'RepeatedResourceWarning: Resource /ConfigMap/web/a appeared 2 times among application resources.',
  ]);
  assert.deepEqual((twice.targets[0]!.object as unknown as { data: object }).data, { n: '2' }, 'the last one counts');
  assert.deepEqual(messages(targets([manifest('Namespace', 'x')], { spec: { destinations: open.destinations! } })), [
    'NotPermittedWarning: Namespace x: resource :Namespace is not permitted in project p: add /Namespace to its clusterResourceWhitelist to permit it',
  ]);
  assert.deepEqual(messages(targets([manifest('ConfigMap', 'a')], { namespace: '' })), [
    'InvalidSpecError: Namespace for a /v1, Kind=ConfigMap is missing.',
  ]);
});

test('objects equal to their targets are in sync', () => {
  const desired = targets([manifest('ConfigMap', 'a', { data: { k: 'v' } })]);
  const { sync, health, conditions } = compare({ app: 'shop', targets: desired, live: applied(desired) });
  assert.deepEqual([sync, health, conditions], ['Synced', 'Healthy', []]);
});

test('missing, different and extraneous objects are out of sync, each with its reason', () => {
  const desired = targets([manifest('ConfigMap', 'a', { data: { k: 'v' } })]);
  const missing = compare({ app: 'shop', targets: desired, live: [] });
  assert.deepEqual([missing.sync, missing.health], ['OutOfSync', 'Missing']);
  assert.deepEqual(
    missing.conditions.map(({ message }) => message),
    ['ConfigMap web/a does not exist', 'ConfigMap web/a is Missing'],
  );
  const [live] = applied(desired) as unknown as [KubeObject & { data: object }];
  const changed = compare({ app: 'shop', targets: desired, live: [{ ...live, data: { k: 'x' } } as KubeObject] });
  assert.deepEqual(changed.conditions, [{ type: 'OutOfSync', message: 'ConfigMap web/a differs in data.k' }]);
  const leftOver = compare({ app: 'shop', targets: targets([]), live: [live] });
  assert.deepEqual(leftOver.conditions, [{ type: 'OutOfSync', message: 'ConfigMap web/a is no longer in the source' }]);
  assert.equal(leftOver.resources[0]?.requiresPruning, true);
});

test('a live object without our tracking id is never pruned', () => {
  const stranger: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'web' } };
  assert.deepEqual(compare({ app: 'shop', targets: targets([]), live: [stranger] }).resources, []);
});

test('an object of another Application is shared, and reported as such', () => {
  const desired = targets([manifest('ConfigMap', 'a')]);
  const [live] = applied(desired);
  const theirs = {
    ...live!,
    metadata: { ...live!.metadata, annotations: { 'argocd.argoproj.io/tracking-id': 'other:/ConfigMap:web/a' } },
  };
  const { conditions } = compare({ app: 'shop', targets: desired, live: [theirs] });
  assert.deepEqual(conditions[0], {
    type: 'SharedResourceWarning',
    message: 'ConfigMap/a is part of applications argocd/shop and other',
  });
});

test('the worst health is reported first', () => {
  const desired = targets([manifest('ConfigMap', 'a'), manifest('Deployment', 'b', { spec: { replicas: 1 } })]);
  const live = applied(desired).filter(({ kind }) => kind === 'Deployment');
  const { health, conditions } = compare({ app: 'shop', targets: desired, live });
  assert.equal(health, 'Progressing');
  assert.match(conditions.find(({ type }) => type === 'NotHealthy')!.message, /^Deployment web\/b is Progressing: .*$/);
});

test('the status lists a resource with its fields', () => {
  const container = { image: 'web:1' };
  const desired = targets([
    manifest(
      'Deployment',
      'b',
      { spec: { template: { spec: { containers: [container], initContainers: [{ image: 'init:2' }] } } } },
      { annotations: { 'argocd.argoproj.io/sync-wave': '3' } },
    ),
  ]);
  const { resources } = compare({ app: 'shop', targets: desired, live: applied(desired) });
  assert.deepEqual(resourceStatus(resources[0]!), {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    namespace: 'web',
    name: 'b',
    status: 'Synced',
    health: { status: 'Healthy' },
    syncWave: 3,
  });
});

const annotated = (annotations: Record<string, string>) => ({ annotations });

test('hooks are not part of the target state: live ones are listed as Argo CD does, without a status', () => {
  const hook = manifest('ConfigMap', 'h', {}, annotated({ 'argocd.argoproj.io/hook': 'PreSync' }));
  const desired = targets([hook]);
  assert.deepEqual([desired.targets, desired.hooks.map(({ id }) => id.name)], [[], ['h']]);
  const live = desired.hooks.map(({ object }) => object);
  const { sync, resources } = compare({ app: 'shop', targets: targets([]), live });
  assert.equal(sync, 'Synced');
  assert.deepEqual(
    resources.map((one) => resourceStatus(one)),
    [{ version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'h', hook: true, requiresPruning: true }],
  );
});

test('the wave of a live hook is that of the hook in the source, and an object with a generated name is not pruned', () => {
  const hook = { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/sync-wave': '2' };
  const desired = targets([manifest('ConfigMap', 'h', {}, annotated(hook))]);
  const [{ object }] = desired.hooks as [Targets['hooks'][number]];
  const generated = structuredClone(object);
  generated.metadata = { ...generated.metadata, name: 'g-1', generateName: 'g-' };
  generated.metadata.annotations = { ...hook, 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:web/' };
  const { resources } = compare({ app: 'shop', targets: desired, live: [object, generated] });
  assert.deepEqual(
    resources
      .map((one) => resourceStatus(one))
      .map(({ name, syncWave, requiresPruning }) => [name, syncWave, requiresPruning]),
    [
      ['g-1', undefined, undefined],
      ['h', 2, true],
    ],
  );
});

test('a copy with the tracking id of another object is listed without a status, and counts for the health', () => {
  const desired = targets([manifest('ConfigMap', 'a')]);
  const [a] = applied(desired) as [KubeObject];
  const copy = { ...a, metadata: { ...a.metadata, name: 'copy' } };
  const { sync, resources } = compare({
    app: 'shop',
    targets: desired,
    live: [a, copy],
    assess: ({ metadata: { name } }) => ({ status: name === 'copy' ? 'Degraded' : 'Healthy' }),
  });
  assert.equal(sync, 'Synced');
  assert.deepEqual(resources.map((one) => resourceStatus(one))[1], {
    version: 'v1',
    kind: 'ConfigMap',
    namespace: 'web',
    name: 'copy',
    health: { status: 'Degraded' },
  });
});

test('an Application is Missing only if nothing of it is live', () => {
  const desired = targets([manifest('ConfigMap', 'a'), manifest('ConfigMap', 'b')]);
  const [a] = applied(desired);
  assert.equal(compare({ app: 'shop', targets: desired, live: [] }).health, 'Missing');
  assert.equal(compare({ app: 'shop', targets: desired, live: [a!] }).health, 'Healthy');
});

test('the health message names the objects that cause it', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const desired = targets(names.map((name) => manifest('ConfigMap', name)));
  const { health, healthCauses } = compare({
    app: 'shop',
    targets: desired,
    live: applied(desired),
    assess: ({ metadata: { name } }) => ({ status: name === 'a' ? 'Healthy' : 'Degraded' }),
  });
  assert.deepEqual(
    [health, healthCauses],
    ['Degraded', 'Caused by ConfigMap:web/b, ConfigMap:web/c, ConfigMap:web/d and 1 more'],
  );
});

test('a skipped object is only listed; one with a misspelt hook is not applied as an ordinary object', () => {
  const skipped = manifest('ConfigMap', 's', {}, annotated({ 'argocd.argoproj.io/hook': 'Skip' }));
  const misspelt = manifest('ConfigMap', 'm', {}, annotated({ 'argocd.argoproj.io/hook': 'PreSink' }));
  const desired = targets([skipped, misspelt]);
  const { sync, resources } = compare({ app: 'shop', targets: desired, live: [] });
  assert.equal(sync, 'Synced');
  assert.deepEqual(
    resources.map((one) => resourceStatus(one)),
    [{ version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 's' }],
  );
  assert.deepEqual(
    desired.conditions.map(({ type }) => type),
    ['InvalidAnnotationWarning'],
  );
});

test('objects without a name are OutOfSync; those with generateName are tracked separately', () => {
  const nameless = (annotations?: object) => manifest('ConfigMap', '', {}, { generateName: 'g-', ...annotations });
  const hook = annotated({ 'argocd.argoproj.io/hook': 'Sync' });
  assert.equal(targets([nameless(hook), nameless(hook)]).hooks.length, 2);
  const named = targets([nameless(), nameless(), manifest('ConfigMap', 'a')]);
  const { sync, resources } = compare({ app: 'shop', targets: named, live: [] });
  assert.deepEqual(
    [sync, resources.map(({ id, status }) => [id.name, status])],
    [
      'OutOfSync',
      [
        ['', 'OutOfSync'],
        ['', 'OutOfSync'],
        ['a', 'OutOfSync'],
      ],
    ],
  );
  const twice = targets([manifest('ConfigMap', ''), manifest('ConfigMap', '')]);
  assert.deepEqual(
    [twice.targets.length, twice.conditions.map(({ message }) => message)],
    [1, ['Resource /ConfigMap/web/ appeared 2 times among application resources.']],
  );
});

test('an object of an unknown kind is found with and without a namespace', () => {
  const desired = targets([manifest('Widget', 'w')]);
  assert.equal(desired.targets[0]?.id.namespace, 'web');
  const { namespace: _, ...metadata } = applied(desired)[0]!.metadata;
  const live = { ...applied(desired)[0]!, metadata };
  assert.deepEqual(
    compare({ app: 'shop', targets: desired, live: [live], ownerOf: () => 'shop' }).resources.map((one) => [
      one.requiresPruning,
      one.live !== undefined,
    ]),
    [[false, true]],
  );
});

test('IgnoreExtraneous: an extraneous object does not make the Application OutOfSync', () => {
  const desired = targets([
    manifest('ConfigMap', 'a', {}, annotated({ 'argocd.argoproj.io/compare-options': 'IgnoreExtraneous' })),
  ]);
  const { sync, resources, conditions } = compare({ app: 'shop', targets: targets([]), live: applied(desired) });
  assert.deepEqual([sync, resources[0]?.status, resources[0]?.requiresPruning], ['Synced', 'OutOfSync', true]);
  assert.deepEqual(conditions, []);
});

test('an object that the project does not permit is OutOfSync, live or not, without a condition if it is live', () => {
  const desired = (spec: AppProject['spec']): Targets =>
    targets([manifest('ConfigMap', 'a'), manifest('Namespace', 'n')], { spec: { ...open, ...spec } });
  const live = applied(desired({}));
  const compared = (spec: AppProject['spec']) => {
    const { sync, resources } = compare({ app: 'shop', targets: desired(spec), live });
    return [sync, ...resources.map(({ id, status, health }) => [id.kind, status, health?.status])];
  };
  assert.equal(compared({})[0], 'Synced');
  assert.deepEqual(compared({ clusterResourceWhitelist: [] }), [
    'OutOfSync',
    ['ConfigMap', 'Synced', undefined],
    ['Namespace', 'Unknown', 'Missing'],
  ]);
  assert.deepEqual(compared({ destinations: [{ server: '*', namespace: 'other' }] }), [
    'OutOfSync',
    ['ConfigMap', 'OutOfSync', 'Missing'],
    ['Namespace', 'Synced', undefined],
  ]);
});

test('an object without the namespace that its kind requires is listed as OutOfSync', () => {
  const { sync, resources } = compare({
    app: 'shop',
    targets: targets([manifest('ConfigMap', 'a')], { namespace: '' }),
    live: [],
  });
  assert.deepEqual(
    [sync, resources.map(({ id, status }) => [id.name, id.namespace, status])],
    ['OutOfSync', [['a', '', 'OutOfSync']]],
  );
});

test('an extraneous object that the project does not permit is not pruned but reported', () => {
  const live = applied(targets([manifest('ConfigMap', 'a')]));
  const { resources, conditions } = compare({ app: 'shop', targets: targets([]), live, mayPrune: () => false });
  assert.deepEqual(resources, []);
  assert.match(conditions[0]!.message, /^ConfigMap web\/a is live and no longer in the source, but not permitted/);
});

test('a missing managed namespace does not make the Application OutOfSync: a sync creates it', () => {
  const desired = targets([manifest('Namespace', 'web')]);
  const { sync, resources } = compare({ app: 'shop', targets: desired, live: [], managedNamespace: 'web' });
  assert.deepEqual([sync, resources[0]?.status, resources[0]?.health?.status], ['Synced', 'Synced', 'Missing']);
  assert.equal(compare({ app: 'shop', targets: desired, live: [] }).sync, 'OutOfSync');
});

test('other managed labels of the namespace make the Application OutOfSync', () => {
  const desired = targets([manifest('ConfigMap', 'a')]);
  const input = { app: 'shop', targets: desired, live: applied(desired) };
  assert.equal(compare({ ...input, namespaceMetadataChanged: true }).sync, 'OutOfSync');
  assert.equal(compare(input).sync, 'Synced');
});

test('an Application with an object that cannot be compared is Unknown; the other objects are compared', () => {
  const desired = targets([manifest('ConfigMap', 'a'), manifest('ConfigMap', 'b')]);
  const differ = ({ metadata }: KubeObject) => {
    if (metadata.name === 'a') throw new Error('no such schema');
    return { modified: false, fields: [], predicted: applied(desired)[1]! };
  };
  const { sync, resources, conditions } = compare({ app: 'shop', targets: desired, live: applied(desired), differ });
  assert.equal(sync, 'Unknown');
  assert.deepEqual(
    resources.map(({ status }) => status),
    ['Unknown', 'Synced'],
  );
  assert.deepEqual(conditions, [
    {
      type: 'ComparisonError',
      message:
        'Failed to compare desired state to live state: failed to calculate diff: no such schema (ConfigMap web/a)',
    },
  ]);
});

test('a child Application of unknown health and an object with ignore-healthcheck do not count for the health', () => {
  const child = {
    ...manifest('ConfigMap', 'c').object,
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
  } as Manifest['object'];
  const silent = manifest('ConfigMap', 's', {}, annotated({ 'argocd.argoproj.io/ignore-healthcheck': 'true' }));
  const desired = targets([{ object: child, origin: { path: 'a.yaml', line: 1 } }, silent]);
  const assess = () => ({ status: 'Unknown' as const });
  assert.equal(compare({ app: 'shop', targets: desired, live: applied(desired), assess }).health, 'Healthy');
});

test('links come from an Ingress and from annotations with a safe URL', () => {
  const object: KubeObject = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'web',
      annotations: {
        'link.argocd.argoproj.io/docs': 'Docs|https://docs.example.com',
        'link.argocd.argoproj.io/bad': 'javascript:alert(1)',
      },
    },
    spec: {
      tls: [{ hosts: ['shop.example.com'] }],
      rules: [
        { host: 'shop.example.com', http: { paths: [{ path: '/' }, { path: '/api/*' }] } },
        { host: 'plain.example.com', http: { paths: [{}] } },
      ],
    },
  } as KubeObject;
  assert.deepEqual(linksOf(object), [
    'Docs|https://docs.example.com',
    'https://shop.example.com/',
    'https://shop.example.com/api/',
    'http://plain.example.com',
  ]);
});
