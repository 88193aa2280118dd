import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  apiError,
  applyConfiguration,
  type Field,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectSchema,
  schemaOf,
} from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';
import { createTracker, defaultTracking } from '../tracking.ts';
import type { Difference } from './diff.ts';
import { Differ, type DiffPolicy, type DiffSettings, defaultDiffSettings, diffPolicy } from './differ.ts';
import { createJq, JqTooSlow } from './jq/jq.ts';

const jq = createJq({ timeMs: 20_000 });
after(() => jq.close());

const deployment = (spec: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec,
  }) as KubeObject;
const withContainers = (...containers: object[]) => ({ replicas: 2, template: { spec: { containers } } });
const policy = (parts: Partial<Omit<DiffPolicy, 'key'>> = {}): DiffPolicy =>
  diffPolicy({ ignore: [], syncOptions: [], compareOptions: '', ...parts });

test('a jq expression runs once on an object that does not change', async () => {
  const inputs: unknown[] = [];
  const counting = {
    paths: async (_: string, object: unknown) => {
      inputs.push(object);
      return [];
    },
    active: 0,
    close: async () => {},
  };
  const cluster = {
    dryRunApply: async (object: KubeObject) => object,
    managedFields: async () => undefined,
    schema: async () => undefined,
    inVersion: async () => undefined,
  };
  const made = new Differ({ cluster, jq: counting, manager: 'argocd-controller' });
  const ignore = [{ group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec.paused'] }];
  const live = deployment({ replicas: 2, paused: true });
  await made.diff(deployment({ replicas: 2 }), live, policy({ ignore }));
  assert.deepEqual(inputs, [live]);
  await made.diff(deployment({ replicas: 3 }), live, policy({ ignore }));
  assert.equal(inputs.length, 3, 'once for either side of an object that changes');
});

interface Fake {
  readonly schema?: ObjectSchema;
  readonly settings?: Partial<DiffSettings>;
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly dryRun?: (desired: KubeObject) => KubeObject;
  readonly converted?: (live: KubeObject, apiVersion: string) => KubeObject | undefined;
}

function differ({ settings = {}, managedFields, dryRun, converted, schema }: Fake = {}) {
  const asked = { dryRuns: 0, managedFields: 0 };
  const cluster = {
    dryRunApply: async (desired: KubeObject) => {
      asked.dryRuns += 1;
      return dryRun!(desired);
    },
    managedFields: async () => {
      asked.managedFields += 1;
      return managedFields;
    },
    schema: async () => schema,
    inVersion: async (live: KubeObject, apiVersion: string) => converted?.(live, apiVersion),
  };
  const made = new Differ({
    settings: { ...defaultDiffSettings, ...settings },
    cluster,
    jq,
    manager: 'argocd-controller',
  });
  return { differ: made, asked };
}

async function fieldsOf(
  fake: Fake,
  target: KubeObject,
  live: KubeObject,
  rules: DiffPolicy = policy(),
): Promise<readonly string[]> {
  const result = await differ(fake).differ.diff(target, live, rules);
  if (result instanceof Error) throw result;
  return result.fields;
}

const target = deployment(withContainers({ name: 'web', image: 'web:2' }));
const live = deployment({
  ...withContainers({ name: 'web', image: 'web:1' }, { name: 'sidecar', image: 's' }),
  replicas: 7,
});

test('without rules every declared field is compared', async () => {
  assert.deepEqual(await fieldsOf({}, target, live), ['spec.replicas', 'spec.template.spec.containers']);
});

const rules: [string, object, string[]][] = [
  [
    'a JSON pointer',
    { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] },
    ['spec.template.spec.containers'],
  ],
  [
    'a JSON pointer through a list',
    { group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/template/spec/containers/0/image'] },
    ['spec.replicas'],
  ],
  [
    'any item of a list',
    { group: '*', kind: '*', jsonPointers: ['/spec/template/spec/containers/*/image'] },
    ['spec.replicas'],
  ],
  [
    'a jq path',
    {
      group: 'apps',
      kind: 'Deployment',
      jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "web").image'],
    },
    ['spec.replicas'],
  ],
  ['two jq paths', { group: 'a*', kind: 'Deploy*', jqPathExpressions: ['.spec.replicas', '.spec.template'] }, []],
  [
    'another name',
    { group: 'apps', kind: 'Deployment', name: 'other', jsonPointers: ['/spec'] },
    ['spec.replicas', 'spec.template.spec.containers'],
  ],
  [
    'another namespace',
    { group: 'apps', kind: 'Deployment', namespace: 'x', jsonPointers: ['/spec'] },
    ['spec.replicas', 'spec.template.spec.containers'],
  ],
  [
    'another group',
    { kind: 'Deployment', jsonPointers: ['/spec'] },
    ['spec.replicas', 'spec.template.spec.containers'],
  ],
];
for (const [what, rule, left] of rules) {
  test(`ignored by ${what}, for an Application and for all`, async () => {
    const ignore = [rule as { kind: string }];
    assert.deepEqual(await fieldsOf({}, target, live, policy({ ignore })), left);
    assert.deepEqual(await fieldsOf({ settings: { ignore } }, target, live), left);
  });
}

test('an annotation of an object selects fields to ignore', async () => {
  const own = {
    annotations: {
      [knownAnnotations.ignoreDifferences.name]: '# the autoscaler writes it\n/spec/replicas\n.spec.template\n',
    },
  };
  const marked = deployment(target as never, own);
  const annotated = { ...target, metadata: marked.metadata } as KubeObject;
  const there = { ...live, metadata: { ...live.metadata, ...own } } as KubeObject;
  assert.deepEqual(await fieldsOf({}, annotated, there), []);
});

test('the predicted state keeps the live value of ignored fields', async () => {
  const ignore = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }];
  const result = (await differ().differ.diff(target, live, policy({ ignore }))) as Difference;
  assert.equal((result.predicted as unknown as { spec: { replicas: number } }).spec.replicas, 7);
});

const owns = (manager: string, fieldsV1: JsonObject, operation: 'Apply' | 'Update' = 'Update'): ManagedFieldsEntry => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

test('ignored by field manager: only the fields that it owns', async () => {
  const managedFields = [
    owns('hpa', { 'f:spec': { 'f:replicas': {} } }),
    owns('kubectl', { 'f:spec': { 'f:template': {} } }),
  ];
  const ignore = [{ group: 'apps', kind: 'Deployment', managedFieldsManagers: ['hpa'] }];
  const fake = { managedFields };
  assert.deepEqual(await fieldsOf(fake, target, live, policy({ ignore })), ['spec.template.spec.containers']);
  const image = {
    'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } } } } },
  };
  const updater = { managedFields: [owns('hpa', { 'f:spec': { 'f:replicas': {} } }), owns('hpa', image)] };
  assert.deepEqual(await fieldsOf(updater, target, live, policy({ ignore })), []);
});

test('an invalid jq expression is reported for the one object', async () => {
  const ignore = [{ group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec..['] }];
  const { differ: made } = differ();
  const result = await made.diff(target, live, policy({ ignore }));
  assert.ok(result instanceof Error);
  assert.match(result.message, /^jq path expression \.spec\.\.\[: syntax error/);
  assert.equal(made.cached(target, live, policy({ ignore })), result);
  assert.ok((await made.diff(target, { ...target }, policy({ ignore }))) instanceof Error, 'also if nothing differs');
});

test('an expression that cannot be compiled is a problem of the whole policy, with the same message as gojq', async () => {
  const { differ: made } = differ();
  const wordsFor = async (expression: string) =>
    (await made.problemOf(policy({ ignore: [{ kind: 'Deployment', jqPathExpressions: [expression] }] })))?.upstream;
  assert.equal(await wordsFor('.data['), 'unexpected token ")"');
  assert.equal(await wordsFor('.a | missing'), 'function not defined: missing/0');
  assert.equal(await wordsFor('$nothing'), 'variable not defined: $nothing');
  assert.equal(await wordsFor('.spec.containers[] | select(.name == "a")'), undefined);
});

test('a result is cached for the same content, but not for other versions, targets or policies', async () => {
  const { differ: made } = differ();
  const result = await made.diff(target, live, policy());
  assert.equal(made.cached(target, live, policy()), result);
  assert.equal(made.cached(structuredClone(target), live, policy()), result, 'rendered again with the same result');
  assert.equal(made.cached({ ...target, spec: {} } as KubeObject, live, policy()), undefined);
  assert.equal(made.cached(target, structuredClone(live), policy()), undefined, 'another version');
  assert.equal(made.cached(target, live, policy({ syncOptions: ['ServerSideApply=true'] })), undefined);
});

const schema = schemaOf('apps', 'v1', 'Deployment') as ObjectSchema;
/** A server that applies, and whose webhook adds a label. */
const server = (of: KubeObject) => (desired: KubeObject) => {
  const { object } = applyConfiguration({
    live: of,
    config: desired as unknown as JsonObject,
    schema,
    manager: 'argocd-controller',
    apiVersion: 'apps/v1',
    force: true,
    now: '2030-01-01T00:00:00Z',
  });
  const { labels } = object.metadata;
  return {
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, injected: 'yes' }, resourceVersion: '99' },
  } as KubeObject;
};

test('server-side: the response of the dry run decides, and changes by webhooks are ignored by default', async () => {
  const there = deployment(
    { ...withContainers({ name: 'web', image: 'web:2', terminationMessagePath: '/dev/x' }) },
    { resourceVersion: '5' },
  );
  const fake = { dryRun: server(there) };
  const compareOptions = 'ServerSideDiff=true';
  assert.deepEqual(await fieldsOf(fake, target, there, policy({ compareOptions })), []);
  const all = policy({ compareOptions: 'ServerSideDiff=true,IncludeMutationWebhook=true' });
  assert.deepEqual(await fieldsOf(fake, target, there, all), ['metadata.labels']);
  assert.deepEqual(await fieldsOf({ dryRun: server(live) }, target, live, policy({ compareOptions })), [
    'spec.replicas',
    'spec.template.spec.containers',
  ]);
});

test('server-side: enabled by settings, disabled by the annotation of an object, and cached', async () => {
  const there = deployment(withContainers({ name: 'web', image: 'web:2' }));
  const { differ: made, asked } = differ({ dryRun: server(there), settings: { serverSide: true } });
  await made.diff(target, there, policy());
  await made.diff(target, there, policy());
  assert.equal(asked.dryRuns, 1);
  const off = deployment(withContainers(), {
    annotations: { 'argocd.argoproj.io/compare-options': 'ServerSideDiff=false' },
  });
  await made.diff(off, there, policy());
  assert.equal(asked.dryRuns, 1);
});

test('server-side: an error of the server affects only the one object', async () => {
  const fake = {
    dryRun: () => {
      throw apiError(422, 'Invalid', 'spec.replicas: must be a number');
    },
  };
  await assert.rejects(fieldsOf(fake, target, live, policy({ compareOptions: 'ServerSideDiff=true' })), {
    message:
      'error calculating server side diff: serverSideDiff error: error running server side apply in dryrun mode for resource Deployment/web: spec.replicas: must be a number',
  });
});

const serverSideApply = policy({ syncOptions: ['ServerSideApply=true'] });

test('applied server-side: fields that we owned and dropped are removed, fields of other managers remain', async () => {
  const ours = { 'f:spec': { 'f:replicas': {}, 'f:paused': {}, 'f:minReadySeconds': {} } };
  const theirs = { 'f:spec': { 'f:minReadySeconds': {}, 'f:revisionHistoryLimit': {} } };
  const managedFields = [owns('argocd-controller', ours, 'Apply'), owns('other', theirs)];
  const there = deployment({ replicas: 2, paused: true, minReadySeconds: 5, revisionHistoryLimit: 3 });
  assert.deepEqual(await fieldsOf({ managedFields }, deployment({ replicas: 2 }), there, serverSideApply), [
    'spec.paused',
  ]);
});

test('applied server-side: equal quantities, defaults and items of other managers do not differ', async () => {
  const container = (cpu: string, rest: object = {}) => ({ name: 'web', resources: { limits: { cpu } }, ...rest });
  const there = deployment(
    withContainers(container('1', { imagePullPolicy: 'Always', ports: [{ containerPort: 80, protocol: 'TCP' }] }), {
      name: 'injected',
    }),
  );
  const target = deployment(withContainers(container('1000m', { ports: [{ containerPort: 80 }] })));
  assert.deepEqual(await fieldsOf({ managedFields: [] }, target, there, serverSideApply), []);
  const other = deployment(withContainers(container('2')));
  assert.deepEqual(await fieldsOf({ managedFields: [] }, other, there, serverSideApply), [
    'spec.template.spec.containers',
  ]);
});

test('applied server-side: a list that is declared empty or null and that the server writes as null does not differ', async () => {
  const role = (rules: unknown): KubeObject =>
    ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'r' }, rules }) as KubeObject;
  const managedFields = [owns('argocd-controller', { 'f:rules': {} }, 'Apply')];
  const policies = [{ verbs: ['get'] }];
  for (const declared of [null, []])
    assert.deepEqual(await fieldsOf({ managedFields }, role(declared), role(null), serverSideApply), []);
  assert.deepEqual(await fieldsOf({ managedFields }, role(null), role(policies), serverSideApply), ['rules']);
  assert.deepEqual(await fieldsOf({ managedFields }, role(policies), role(null), serverSideApply), ['rules']);
});

test('applied server-side: a null in a custom resource, which the server stores, does not differ', async () => {
  const thing = (priority: unknown): KubeObject =>
    ({ apiVersion: 'ex.io/v1', kind: 'Thing', metadata: { name: 't' }, priority }) as KubeObject;
  const managedFields = [{ ...owns('argocd-controller', { 'f:priority': {} }, 'Apply'), apiVersion: 'ex.io/v1' }];
  assert.deepEqual(await fieldsOf({ managedFields }, thing(null), thing(null), serverSideApply), []);
  assert.deepEqual(await fieldsOf({ managedFields }, thing(null), thing(1), serverSideApply), ['priority']);
});

test('applied server-side: a null in a custom resource gets the default of its schema', async () => {
  const replicas: Field = { name: 'replicas', schema: { type: 'int32' }, default: 1 };
  const schema: ObjectSchema = { type: 'object', fields: new Map([['replicas', replicas]]), preserveUnknown: true };
  const thing = (replicas: unknown): KubeObject =>
    ({ apiVersion: 'ex.io/v1', kind: 'Thing', metadata: { name: 't' }, replicas }) as KubeObject;
  const managedFields = [{ ...owns('argocd-controller', { 'f:replicas': {} }, 'Apply'), apiVersion: 'ex.io/v1' }];
  assert.deepEqual(await fieldsOf({ managedFields, schema }, thing(null), thing(1), serverSideApply), []);
  assert.deepEqual(await fieldsOf({ managedFields, schema }, thing(null), thing(3), serverSideApply), ['replicas']);
});

test('applied server-side: a resourceFieldRef without divisor does not differ', async () => {
  const env = (divisor: object) => [
    { name: 'M', valueFrom: { resourceFieldRef: { resource: 'limits.memory', ...divisor } } },
  ];
  const there = deployment(withContainers({ name: 'web', env: env({ divisor: '0' }) }));
  const target = deployment(withContainers({ name: 'web', env: env({}) }));
  assert.deepEqual(await fieldsOf({ managedFields: [] }, target, there, serverSideApply), []);
  const other = deployment(withContainers({ name: 'web', env: env({ divisor: '1Mi' }) }));
  assert.deepEqual(await fieldsOf({ managedFields: [] }, other, there, serverSideApply), [
    'spec.template.spec.containers',
  ]);
});

test('fields of custom kinds with built-in types are compared as those types', async () => {
  const rollout = (cpu: string): KubeObject =>
    ({
      ...deployment({ template: { spec: { containers: [{ name: 'a', resources: { limits: { cpu } } }] } } }),
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
    }) as KubeObject;
  assert.deepEqual(await fieldsOf({}, rollout('1000m'), rollout('1')), []);
  assert.deepEqual(await fieldsOf({}, rollout('900m'), rollout('1')), ['spec.template.spec.containers']);
  const thing = (cpu: string): KubeObject =>
    ({ ...rollout(cpu), kind: 'Thing', spec: { list: [{ cpu }] } }) as KubeObject;
  const knownTypeFields = new Map([['argoproj.io/Thing', [{ field: 'spec.list.cpu', type: 'core/Quantity' }]]]);
  assert.deepEqual(await fieldsOf({}, thing('1000m'), thing('1')), ['spec.list']);
  assert.deepEqual(await fieldsOf({ settings: { knownTypeFields } }, thing('1000m'), thing('1')), []);
});

test('a declared status is compared only if the settings enable it', async () => {
  const declared = { ...target, status: { replicas: 1 } } as KubeObject;
  const there = { ...target, status: { replicas: 2 } } as KubeObject;
  assert.deepEqual(await fieldsOf({}, declared, there), []);
  assert.deepEqual(await fieldsOf({ settings: { ignoreStatus: 'crd' } }, declared, there), ['status.replicas']);
  const crd = (object: KubeObject): KubeObject => ({
    ...object,
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
  });
  assert.deepEqual(await fieldsOf({ settings: { ignoreStatus: 'crd' } }, crd(declared), crd(there)), []);
});

test('a change from labels to annotations does not make objects OutOfSync', async () => {
  const byLabel = createTracker({ ...defaultTracking, method: 'label' });
  const byAnnotation = createTracker();
  const there = byLabel.mark(target, 'shop');
  assert.deepEqual(await fieldsOf({}, byAnnotation.mark(target, 'shop'), there), []);
  const elsewhere = byAnnotation.mark(there, 'other');
  assert.deepEqual(await fieldsOf({}, byAnnotation.mark(target, 'shop'), elsewhere), [
    'metadata.annotations.argocd.argoproj.io/tracking-id',
  ]);
});

test('a live object in another version is converted to the version of the manifest, if it is served', async () => {
  const scaler = (apiVersion: string, spec: object): KubeObject => ({
    ...deployment(spec),
    apiVersion,
    kind: 'HorizontalPodAutoscaler',
  });
  const target = scaler('autoscaling/v1', { maxReplicas: 5, targetCPUUtilizationPercentage: 80 });
  const there = scaler('autoscaling/v2', { maxReplicas: 5, metrics: [{ type: 'Resource' }] });
  const converted = (cpu: number) => (_: KubeObject, apiVersion: string) =>
    apiVersion === 'autoscaling/v1'
      ? scaler(apiVersion, { maxReplicas: 5, targetCPUUtilizationPercentage: cpu })
      : undefined;
  assert.deepEqual(await fieldsOf({ converted: converted(80) }, target, there), []);
  assert.deepEqual(await fieldsOf({ converted: converted(50) }, target, there), [
    'spec.targetCPUUtilizationPercentage',
  ]);
  assert.deepEqual(await fieldsOf({}, scaler('autoscaling/v3', { maxReplicas: 5 }), there), []);
});

test('applied server-side: nulls of a manifest and server-managed metadata do not differ', async () => {
  const there = deployment(
    { replicas: 2, template: { metadata: { labels: { a: 'b' } } } },
    { creationTimestamp: '2030-01-01T00:00:00Z', uid: 'u' },
  );
  const target = deployment(
    { replicas: 2, template: { metadata: { creationTimestamp: null, labels: { a: 'b' } } } },
    { creationTimestamp: null, managedFields: [] },
  );
  assert.deepEqual(await fieldsOf({ managedFields: [] }, target, there, serverSideApply), []);
});

test('an expression that took too long is retried a few times, and then its failure is cached', async () => {
  let asked = 0;
  const slow = {
    paths: async () => {
      asked += 1;
      throw new JqTooSlow('too slow');
    },
    active: 0,
    close: async () => {},
  };
  const cluster = {
    dryRunApply: async (desired: KubeObject) => desired,
    managedFields: async () => [],
    inVersion: async () => undefined,
    schema: async () => undefined,
  };
  const made = new Differ({ cluster, jq: slow, manager: 'm' });
  const rules = policy({ ignore: [{ group: 'apps', kind: 'Deployment', jqPathExpressions: ['.x'] }] });
  for (let i = 0; i < 10; i++) assert.ok((await made.diff(target, live, rules)) instanceof Error);
  assert.equal(asked, 6, 'three times, on both sides');
});
