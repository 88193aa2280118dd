/** Pre-pulling on simulated nodes: the resources of a user, and their results. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@fairlead/apimachinery';
import {
  deployment,
  image,
  imagesIn,
  jobsIn,
  namespace,
  policy,
  prePullImageKind,
  prePullPolicyKind,
  registry,
  startTestCluster,
  type TestCluster,
  types,
  until,
  waitFor,
} from '../test/support/cluster.ts';

let env: TestCluster;
let count = 0;

before(async () => {
  env = await startTestCluster();
  await env.client.create(
    types.registry,
    registry('test', {
      host: 'registry.test',
      latencyMs: 100,
      megabytesPerSecond: 100,
      images: {
        'gone:1': { missing: true },
        'bare:1': { programs: ['/app'], megabytes: 50 },
        'large:1': { megabytes: 2000 },
      },
    }),
  );
  await env.client.create(
    types.registry,
    registry('private', { host: 'private.test', latencyMs: 50, pullSecrets: ['key'] }),
  );
});
after(() => env.close());

async function tenant(): Promise<string> {
  const name = `tenant-${++count}`;
  await env.client.create(types.namespace, namespace(name));
  return name;
}

const nodesWith = async (name: string): Promise<number> =>
  (await env.client.list<KubeObject & { status: { images?: { names: string[] }[] } }>(types.node)).items.filter(
    ({ status }) => status.images?.some(({ names }) => names.includes(name)),
  ).length;

test('an image is pulled on every node, its Jobs are deleted and the nodes list it', async () => {
  const ns = await tenant();
  await env.client.create(prePullImageKind.type, image(ns, 'web', { image: 'registry.test/web:1' }));
  const { status } = await waitFor(
    env.client,
    ns,
    'web',
    'is Completed',
    ({ status }) => status?.phase === 'Completed',
  );
  assert.deepEqual(status?.summary, { total: 3, completed: 3, failed: 0, pending: 0, pulling: 0 });
  assert.equal(status?.conditions?.[0]?.reason, 'Pulled');
  assert.ok(status?.nodeStatus?.every(({ startedAt, completedAt, duration }) => startedAt && completedAt && duration));
  await until('the nodes list it', async () => (await nodesWith('registry.test/web:1')) === 3);
  await until('no Job remains', async () => (await jobsIn(env.client, ns)).length === 0);
});

test('an image that the nodes already have is not pulled again', async () => {
  const ns = await tenant();
  await until('the nodes list it', async () => (await nodesWith('registry.test/web:1')) === 3);
  await env.client.create(prePullImageKind.type, image(ns, 'again', { image: 'registry.test/web:1' }));
  const { status } = await waitFor(
    env.client,
    ns,
    'again',
    'is Completed',
    ({ status }) => status?.phase === 'Completed',
  );
  assert.deepEqual(
    status?.nodeStatus?.map(({ jobName }) => jobName),
    [undefined, undefined, undefined],
  );
});

test('an image without a shell is pulled like any other', async () => {
  const ns = await tenant();
  await env.client.create(prePullImageKind.type, image(ns, 'bare', { image: 'registry.test/bare:1' }));
  const { status } = await waitFor(
    env.client,
    ns,
    'bare',
    'is Completed',
    ({ status }) => status?.phase === 'Completed',
  );
  assert.equal(status?.summary?.completed, 3);
});

test('a bad tag fails on each node after its attempts, with the message of the registry and back-off between attempts', async () => {
  const ns = await tenant();
  const spec = { image: 'registry.test/gone:1', retry: { maxAttempts: 2, backoffSeconds: 20 } };
  await env.client.create(prePullImageKind.type, image(ns, 'gone', spec));
  const first = await waitFor(env.client, ns, 'gone', 'has failed once', ({ status }) =>
    status?.nodeStatus?.some(({ retryCount }) => retryCount === 1),
  );
  const failedAt = Date.parse(first.status!.nodeStatus!.find(({ retryCount }) => retryCount === 1)!.completedAt!);
  const { status } = await waitFor(env.client, ns, 'gone', 'is Failed', ({ status }) => status?.phase === 'Failed');
  assert.equal(status?.summary?.failed, 3);
  assert.match(status?.nodeStatus?.[0]?.error ?? '', /registry\.test\/gone:1: not found/);
  assert.match(status?.conditions?.[0]?.message ?? '', /^3 of 3 nodes could not pull; .*not found/);
  assert.ok(
    status!.nodeStatus!.every(({ startedAt }) => Date.parse(startedAt!) - failedAt >= 18_000),
    'the back-off was respected',
  );
  await until('its slots are released', async () => (await jobsIn(env.client, ns)).length === 0);
  await until('an event reports it too', async () => {
    const { items } = await env.client.list<KubeObject & { reason?: string; note?: string }>(types.event, {
      namespace: ns,
    });
    return items.some(({ reason, note }) => reason === 'PullFailed' && note?.includes('not found'));
  });
});

test('a private registry is read with the pull secrets of the tenant', async () => {
  const ns = await tenant();
  await env.client.create(
    prePullImageKind.type,
    image(ns, 'open', { image: 'private.test/web:1', imagePullSecrets: [{ name: 'key' }] }),
  );
  await waitFor(env.client, ns, 'open', 'is Completed', ({ status }) => status?.phase === 'Completed');
  const shut = { image: 'private.test/other:1', retry: { maxAttempts: 1 } };
  await env.client.create(prePullImageKind.type, image(ns, 'shut', shut));
  const { status } = await waitFor(env.client, ns, 'shut', 'is Failed', ({ status }) => status?.phase === 'Failed');
  assert.match(status?.nodeStatus?.[0]?.error ?? '', /authorization failed/);
});

test('a changed image of a Deployment is pulled; the state is one annotation with our field manager', async () => {
  const ns = await tenant();
  await env.client.create(prePullPolicyKind.type, policy(`watch-${ns}`, { selector: { namespaces: [ns] } }));
  await env.client.create(types.deployment, deployment(ns, 'shop', 'registry.test/shop:1'));
  await until('the first image is pulled', async () =>
    (await imagesIn(env.client, ns)).some(
      ({ spec, status }) => spec?.image.endsWith('shop:1') && status?.phase === 'Completed',
    ),
  );
  await env.client.patch(types.deployment, { namespace: ns, name: 'shop' }, 'json', [
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'registry.test/shop:2' },
  ]);
  const pulled = await until('the second image is pulled', async () =>
    (await imagesIn(env.client, ns)).find(
      ({ spec, status }) => spec?.image.endsWith('shop:2') && status?.phase === 'Completed',
    ),
  );
  assert.equal(pulled.metadata.ownerReferences?.[0]?.kind, 'Deployment');
  const { metadata } = await until('it is recorded', async () => {
    const found = await env.client.get(types.deployment, { namespace: ns, name: 'shop' });
    return found.metadata.annotations?.['kwarm.io/last-images'] === '{"web":"registry.test/shop:2"}' && found;
  });
  const ours = metadata.managedFields?.find(({ manager }) => manager === 'fairlead-prepull');
  assert.deepEqual(ours?.fieldsV1, { 'f:metadata': { 'f:annotations': { 'f:kwarm.io/last-images': {} } } });
  const watched = await until('the policy has counted', async () => {
    const found = await env.client.get(prePullPolicyKind.type, { name: `watch-${ns}` });
    return (found as { status?: { watchedDeployments?: number } }).status?.watchedDeployments === 1 && found;
  });
  assert.match(JSON.stringify(watched), /"reason":"Watching"/);
  await env.client.delete(prePullPolicyKind.type, { name: `watch-${ns}` });
  await env.client.delete(types.deployment, { namespace: ns, name: 'shop' });
  await until('its PrePullImages are deleted with it', async () => (await imagesIn(env.client, ns)).length === 0);
});

test('a changed policy takes effect', async () => {
  const ns = await tenant();
  const name = `change-${ns}`;
  await env.client.create(
    prePullPolicyKind.type,
    policy(name, { selector: { namespaces: [ns] }, nodeSelector: { matchLabels: { no: 'node' } } }),
  );
  await env.client.create(types.deployment, deployment(ns, 'late', 'registry.test/late:1'));
  const [made] = await until('it is requested', async () => {
    const found = await imagesIn(env.client, ns);
    return found[0]?.status?.conditions?.[0]?.reason === 'NoNodes' && found;
  });
  assert.match(made!.status?.conditions?.[0]?.message ?? '', /no node matches spec\.nodes/);
  await env.client.patch(prePullPolicyKind.type, { name }, 'merge', { spec: { nodeSelector: null } });
  await until('it is pulled', async () => (await imagesIn(env.client, ns))[0]?.status?.summary?.completed === 3);
  await env.client.delete(prePullPolicyKind.type, { name });
});

test('a node that joins later gets the image, a deleted one is no longer counted', async () => {
  const ns = await tenant();
  await env.client.create(prePullImageKind.type, image(ns, 'grows', { image: 'registry.test/grows:1' }));
  await waitFor(env.client, ns, 'grows', 'is Completed', ({ status }) => status?.phase === 'Completed');
  await env.cluster.fleet.addNode({ name: 'late-node', address: '192.168.9.9' });
  await waitFor(env.client, ns, 'grows', 'has four nodes', ({ status }) => status?.summary?.completed === 4);
  await env.client.delete(types.node, { name: 'late-node' });
  await waitFor(
    env.client,
    ns,
    'grows',
    'has three nodes',
    ({ status }) => status?.summary?.total === 3 && status.phase === 'Completed',
  );
});

test('a restart during pulls loses nothing and repeats no finished pull', async () => {
  const ns = await tenant();
  await env.stop();
  env.start({ cluster: 1, node: 1 });
  await env.client.create(prePullImageKind.type, image(ns, 'slow', { image: 'registry.test/large:1' }));
  await waitFor(env.client, ns, 'slow', 'is pulling', ({ status }) => (status?.summary?.pulling ?? 0) > 0);
  await env.stop();
  env.start();
  const { status } = await waitFor(
    env.client,
    ns,
    'slow',
    'is Completed',
    ({ status }) => status?.phase === 'Completed',
  );
  assert.equal(status?.summary?.completed, 3);
});

test('a finished pull is deleted after its time to live', async () => {
  const ns = await tenant();
  await env.client.create(
    prePullImageKind.type,
    image(ns, 'brief', { image: 'registry.test/brief:1', completedTTL: '10s' }),
  );
  await waitFor(env.client, ns, 'brief', 'is Completed', ({ status }) => status?.phase === 'Completed');
  await until('it is deleted', async () => (await imagesIn(env.client, ns)).length === 0);
});

test('deletion waits for the Jobs', async () => {
  const ns = await tenant();
  await env.client.create(
    prePullImageKind.type,
    image(ns, 'cut', { image: 'registry.test/large:2', nodes: { names: ['node-1'] } }),
  );
  await until('a Job runs', async () => (await jobsIn(env.client, ns)).length > 0);
  const { metadata } = await waitFor(
    env.client,
    ns,
    'cut',
    'has its finalizer',
    ({ metadata }) => metadata.finalizers?.length,
  );
  assert.deepEqual(metadata.finalizers, ['kwarm.io/finalizer']);
  await env.client.delete(prePullImageKind.type, { namespace: ns, name: 'cut' });
  await until('it is deleted', async () => (await imagesIn(env.client, ns)).length === 0);
  assert.equal((await jobsIn(env.client, ns)).length, 0);
});

test('one name in two namespaces, and names with a common prefix, are different pulls', async () => {
  const [one, two] = [await tenant(), await tenant()];
  const long = 'n'.repeat(200);
  const spec = { image: 'registry.test/same:1' };
  await env.client.create(prePullImageKind.type, image(one, 'same', spec));
  await env.client.create(prePullImageKind.type, image(two, 'same', spec));
  await env.client.create(prePullImageKind.type, image(two, `${long}-a`, { image: 'registry.test/a:1' }));
  await env.client.create(prePullImageKind.type, image(two, `${long}-b`, { image: 'registry.test/b:1' }));
  for (const [ns, name] of [
    [one, 'same'],
    [two, 'same'],
    [two, `${long}-a`],
    [two, `${long}-b`],
  ] as const)
    await waitFor(env.client, ns, name, 'is Completed', ({ status }) => status?.phase === 'Completed');
});

test('an invalid object is reported in a condition, and others are processed', async () => {
  const ns = await tenant();
  const wrong: [name: string, spec: Record<string, unknown>, message: RegExp][] = [
    ['letters', { image: 'Registry.test/WEB:1' }, /^spec\.image: .*lowercase letters/],
    ['empty', { image: '' }, /^spec\.image: must name the image/],
    ['digest', { image: 'registry.test/web', imageDigest: 'sha256:short' }, /^spec\.imageDigest: .*invalid digest/],
    [
      'attempts',
      { image: 'registry.test/web:9', retry: { maxAttempts: -1 } },
      /^spec\.retry\.maxAttempts: must be at least 1/,
    ],
    ['timeout', { image: 'registry.test/web:9', timeout: 'soon' }, /^spec\.timeout: "soon" is not a duration/],
    [
      'operator',
      { image: 'registry.test/web:9', nodes: { selector: { matchExpressions: [{ key: 'a', operator: 'Has' }] } } },
      /^spec\.nodes\.selector\.matchExpressions\[0\]\.operator: Invalid value: "Has"/,
    ],
    ['nowhere', { image: 'registry.test/web:9', nodes: { names: ['no-such-node'] } }, /no node matches spec\.nodes/],
  ];
  for (const [name, spec] of wrong) await env.client.create(prePullImageKind.type, image(ns, name, spec as never));
  await env.client.create(prePullImageKind.type, image(ns, 'good', { image: 'registry.test/web:9' }));
  for (const [name, , message] of wrong) {
    const { status } = await waitFor(env.client, ns, name, 'has a condition', ({ status }) => status?.conditions?.[0]);
    assert.match(status?.conditions?.[0]?.message ?? '', message);
  }
  await waitFor(env.client, ns, 'good', 'is Completed', ({ status }) => status?.phase === 'Completed');
});

test('a policy with a negative limit gets an InvalidSpec condition and is not applied', async () => {
  const ns = await tenant();
  const name = `negative-${ns}`;
  await env.client.create(
    prePullPolicyKind.type,
    policy(name, { selector: { namespaces: [ns] }, retry: { backoffSeconds: -5 } }),
  );
  const found = await until('the condition is InvalidSpec', async () => {
    const it = (await env.client.get(prePullPolicyKind.type, { name })) as {
      status?: { conditions?: { reason: string; message: string }[] };
    };
    return it.status?.conditions?.[0]?.reason === 'InvalidSpec' && it.status.conditions[0];
  });
  assert.equal(found.message, 'spec.retry.backoffSeconds: must be at least 0, not -5');
  await env.client.delete(prePullPolicyKind.type, { name });
});

test('a quota that forbids Jobs is reported in the condition; other tenants are not affected', async () => {
  const [poor, rich] = [await tenant(), await tenant()];
  await env.client.create(types.quota, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'none', namespace: poor },
    spec: { hard: { 'count/jobs.batch': '0' } },
  } as KubeObject);
  await until(
    'the quota is in force',
    async () =>
      (
        await env.client.get<KubeObject & { status?: { hard?: object } }>(types.quota, {
          namespace: poor,
          name: 'none',
        })
      ).status?.hard,
  );
  await env.client.create(prePullImageKind.type, image(poor, 'held', { image: 'registry.test/held:1' }));
  await env.client.create(prePullImageKind.type, image(rich, 'free', { image: 'registry.test/free:1' }));
  const { status } = await waitFor(
    env.client,
    poor,
    'held',
    'reports the quota',
    ({ status }) => status?.conditions?.[0]?.reason === 'QuotaExceeded',
  );
  assert.match(status?.conditions?.[0]?.message ?? '', /a pull Job could not be created: .*exceeded quota/);
  await waitFor(env.client, rich, 'free', 'is Completed', ({ status }) => status?.phase === 'Completed');
  await env.client.delete(types.quota, { namespace: poor, name: 'none' });
  await waitFor(env.client, poor, 'held', 'is Completed', ({ status }) => status?.phase === 'Completed');
});

test('a failing image releases its slot while it waits for its next attempt', async () => {
  const ns = await tenant();
  await env.stop();
  env.start({ cluster: 1 });
  const nodes = { names: ['node-1'] };
  const retry = { maxAttempts: 3, backoffSeconds: 600 };
  await env.client.create(prePullImageKind.type, image(ns, 'a-bad', { image: 'registry.test/gone:1', nodes, retry }));
  await waitFor(env.client, ns, 'a-bad', 'has failed once', ({ status }) => status?.nodeStatus?.[0]?.retryCount === 1);
  await env.client.create(prePullImageKind.type, image(ns, 'good', { image: 'registry.test/slot:1' }));
  await waitFor(env.client, ns, 'good', 'is Completed', ({ status }) => status?.phase === 'Completed');
  const bad = (await imagesIn(env.client, ns)).find(({ metadata }) => metadata.name === 'a-bad');
  const [{ status, retryCount } = {}] = bad?.status?.nodeStatus ?? [];
  assert.deepEqual([status, retryCount], ['Pending', 1]);
  await env.stop();
  env.start();
});

test('a pull that exceeds its timeout is stopped and reported', async () => {
  const ns = await tenant();
  const spec = {
    image: 'registry.test/large:3',
    timeout: '1s',
    nodes: { names: ['node-1'] },
    retry: { maxAttempts: 1 },
  };
  await env.client.create(types.registry, registry('slow', { host: 'slow.test', latencyMs: 600_000 }));
  await env.client.create(prePullImageKind.type, image(ns, 'late', { ...spec, image: 'slow.test/late:1' }));
  const { status } = await waitFor(env.client, ns, 'late', 'is Failed', ({ status }) => status?.phase === 'Failed');
  assert.equal(status?.nodeStatus?.[0]?.error, 'timed out: the pull took longer than spec.timeout');
});

test('images of every workload kind are pulled', async () => {
  const ns = await tenant();
  await env.client.create(prePullPolicyKind.type, policy(`kinds-${ns}`, { selector: { namespaces: [ns] } }));
  const made = (kind: string) => deployment(ns, kind.toLowerCase(), `registry.test/${kind.toLowerCase()}:1`) as never;
  const { spec, metadata } = made('CronJob') as { spec: { template: { spec: object } }; metadata: object };
  const template = { ...spec.template, spec: { ...spec.template.spec, restartPolicy: 'Never' } };
  const { replicas: _, ...daemon } = (made('DaemonSet') as { spec: Record<string, unknown> }).spec;
  for (const [type, object] of [
    [types.statefulSet, { ...(made('StatefulSet') as object), kind: 'StatefulSet' }],
    [types.daemonSet, { ...(made('DaemonSet') as object), kind: 'DaemonSet', spec: daemon }],
    [
      types.cronJob,
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata,
        spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template } } },
      },
    ],
  ] as const)
    await env.client.create(type, object as unknown as KubeObject);
  for (const kind of ['StatefulSet', 'DaemonSet', 'CronJob'])
    await until(`the image of the ${kind} is pulled`, async () =>
      (await imagesIn(env.client, ns)).some(
        ({ metadata, status }) => metadata.ownerReferences?.[0]?.kind === kind && status?.phase === 'Completed',
      ),
    );
  await env.client.delete(prePullPolicyKind.type, { name: `kinds-${ns}` });
});

test('a selector that matches nothing sets a condition', async () => {
  const ns = await tenant();
  await env.client.create(types.deployment, deployment(ns, 'one', 'registry.test/one:1'));
  const conditionMessage = async (name: string, reason: string) =>
    until(`${name} says ${reason}`, async () => {
      const found = (await env.client.get(prePullPolicyKind.type, { name })) as {
        status?: { conditions?: { reason: string; message: string }[] };
      };
      return found.status?.conditions?.[0]?.reason === reason && found.status.conditions[0].message;
    });
  const nothing = `nothing-${ns}`;
  await env.client.create(
    prePullPolicyKind.type,
    policy(nothing, { selector: { matchLabels: { no: 'such' }, namespaces: [ns] } }),
  );
  assert.equal(await conditionMessage(nothing, 'NothingSelected'), `no workload in ${ns} has the labels no=such`);
  await until('its figure is there', async () => (await env.metrics.text()).includes(`policy="${nothing}"`));
  await env.client.delete(prePullPolicyKind.type, { name: nothing });
  await until('its series is removed with it', async () => !(await env.metrics.text()).includes(`policy="${nothing}"`));
});

test('Jobs can run in a separate namespace, with the same tenant limits and clean-up', async () => {
  const [ns, jobs] = [await tenant(), await tenant()];
  await env.stop();
  env.start({ cluster: 50, tenant: 1 }, jobs);
  await env.client.create(prePullImageKind.type, image(ns, 'apart', { image: 'registry.test/large:4' }));
  const [job] = await until('a Job runs there', async () => {
    const found = await jobsIn(env.client, jobs);
    return found.length > 0 && found;
  });
  assert.equal(job!.metadata.ownerReferences, undefined, 'an owner in another namespace would have it collected');
  assert.equal((await jobsIn(env.client, ns)).length, 0);
  assert.equal(
    (await jobsIn(env.client, jobs)).length,
    1,
    'the tenant limit applies to the namespace of the PrePullImage',
  );
  await waitFor(env.client, ns, 'apart', 'is Completed', ({ status }) => status?.phase === 'Completed');
  await env.client.create(prePullImageKind.type, image(ns, 'cut', { image: 'registry.test/large:5' }));
  await until('another runs', async () => (await jobsIn(env.client, jobs)).length > 0);
  await env.client.delete(prePullImageKind.type, { namespace: ns, name: 'cut' });
  await until(
    'it is deleted',
    async () => !(await imagesIn(env.client, ns)).some(({ metadata }) => metadata.name === 'cut'),
  );
  assert.equal((await jobsIn(env.client, jobs)).length, 0);
  await env.stop();
  env.start();
});

test('metrics have the names of Kwarm, and the number of label values is bounded', async () => {
  const ns = await tenant();
  await env.client.create(prePullPolicyKind.type, policy(`figures-${ns}`, { selector: { namespaces: [ns] } }));
  await env.client.create(types.deployment, deployment(ns, 'counted', 'registry.test/counted:1'));
  for (const line of [
    /^kwarm_pull_duration_seconds_count\{status="success"\} [1-9]/m,
    /^kwarm_pulls_total\{status="success"\} [1-9]/m,
    /^kwarm_active_pulls 0$/m,
    /^kwarm_queue_depth 0$/m,
    /^kwarm_prepullimages_by_phase\{phase="Completed"\} [1-9]/m,
    new RegExp(`^kwarm_watched_deployments\\{policy="figures-${ns}"\\} 1$`, 'm'),
    /^controller_reconcile_total\{controller="prepull-images",result="done"\} [1-9]/m,
    /^controller_reconcile_time_seconds_count\{controller="prepull-images"\} [1-9]/m,
  ])
    await until(`there is ${line}`, async () => line.test(await env.metrics.text()));
  assert.doesNotMatch(await env.metrics.text(), /registry\.test|node-1/);
});
