import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '@fairlead/sim';
import { parseImage } from './image-reference.ts';
import { ImageStore } from './image-store.ts';
import type { Pod } from './pod.ts';
import { PodLife } from './pod-life.ts';
import { phaseOf, podStatus } from './pod-status.ts';
import { type RegistryModel, simulatedRegistries } from './registry-model.ts';

const references: readonly [text: string, full: string | undefined][] = [
  ['nginx', 'docker.io/library/nginx:latest'],
  ['library/nginx:1.25', 'docker.io/library/nginx:1.25'],
  ['docker.io/nginx', 'docker.io/library/nginx:latest'],
  ['index.docker.io/nginx:1.25', 'docker.io/library/nginx:1.25'],
  ['acme/web:1', 'docker.io/acme/web:1'],
  ['REGISTRY/web', 'REGISTRY/web:latest'],
  ['localhost:5000/web', 'localhost:5000/web:latest'],
  ['ghcr.io/a/b/c:v1', 'ghcr.io/a/b/c:v1'],
  [`nginx@sha256:${'a'.repeat(64)}`, `docker.io/library/nginx@sha256:${'a'.repeat(64)}`],
  ['a/UPPER', undefined],
  ['nginx:bad tag', undefined],
  ['nginx@sha256:short', undefined],
  ['', undefined],
];

test('image references are normalized, and invalid ones are rejected', () => {
  for (const [text, full] of references) assert.equal(parseImage(text)?.full, full, text);
});

const registry: RegistryModel = {
  host: 'registry.test',
  latencyMs: 100,
  megabytesPerSecond: 50,
  images: { 'web:1': { megabytes: 500 }, 'gone:1': { missing: true }, 'bare:1': { programs: ['/app'] } },
};

function setup(models: readonly RegistryModel[] = [registry], parallel = 3) {
  const clock = new VirtualClock();
  const images = new ImageStore(
    simulatedRegistries(() => models),
    clock,
    { parallel },
  );
  const events: string[] = [];
  const live = (spec: Partial<Pod['spec']>, annotations: Record<string, string> = {}) => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', uid: 'u', annotations },
      spec: { containers: [{ name: 'c', image: 'registry.test/web:1' }], restartPolicy: 'Always', ...spec },
    } as Pod;
    const life: PodLife = new PodLife(pod, {
      clock,
      images,
      changed: () => {},
      event: (type, reason, message) => void events.push(`${type} ${reason} ${message}`),
      crashes: () => false,
      neverReady: () => false,
    });
    void life.begin();
    return {
      pod,
      life,
      phase: () => phaseOf(pod, life.run),
      status: () => podStatus(pod, life.run, { hostIP: 'h', podIP: 'i' }, clock.now()),
    };
  };
  return { clock, images, events, live };
}

/** Virtual milliseconds until the pod is ready. */
async function timeToReady(clock: VirtualClock, life: PodLife): Promise<number> {
  const began = clock.now();
  assert.ok(await clock.runUntil(() => life.run.main.every(({ ready }) => ready), 3_600_000));
  return clock.now() - began;
}

test('a cold start takes longer than a warm one by exactly the pull time', async () => {
  const { clock, live } = setup();
  const cold = await timeToReady(clock, live({}).life);
  const warm = await timeToReady(clock, live({}).life);
  assert.equal(cold - warm, 100 + 500_000 / 50);
});

test('concurrent pulls of one image are one pull, and the number of parallel pulls is limited', async () => {
  const { clock, images } = setup([registry], 2);
  const image = (name: string) => parseImage(`registry.test/${name}`)!;
  const results = [
    images.pull(image('web:1'), []),
    images.pull(image('web:1'), []),
    images.pull(image('a:1'), []),
    images.pull(image('b:1'), []),
  ];
  await clock.advance(50);
  assert.equal(images.pullsInFlight, 2);
  await clock.runUntilIdle();
  const [first, second] = await Promise.all(results);
  assert.equal(first, second);
  assert.equal(images.list().length, 3);
});

test('an image that is on the node with another spelling is not pulled again', async () => {
  const { clock, events, live } = setup();
  await timeToReady(clock, live({ containers: [{ name: 'c', image: 'nginx' }] }).life);
  await timeToReady(clock, live({ containers: [{ name: 'c', image: 'docker.io/nginx' }] }).life);
  assert.deepEqual(
    events.filter((event) => event.startsWith('Normal Pulling')),
    ['Normal Pulling Pulling image "nginx"'],
  );
});

test('a missing image is an error, then a back-off up to five minutes', async () => {
  const { clock, events, live } = setup();
  const { life, phase } = live({ containers: [{ name: 'c', image: 'registry.test/gone:1' }] });
  const state = () => (life.run.main[0]!.state as { reason: string }).reason;
  await clock.advance(150);
  assert.equal(state(), 'ErrImagePull');
  await clock.advance(1_000);
  assert.equal(state(), 'ImagePullBackOff');
  assert.equal(phase(), 'Pending');
  const began = clock.now();
  const pulls: number[] = [];
  for (let seen = 1; pulls.length < 7; ) {
    await clock.advance(100);
    const count = events.filter((event) => event.startsWith('Normal Pulling')).length;
    if (count > seen) pulls.push(Math.round((clock.now() - began) / 1000));
    seen = count;
  }
  const gaps = pulls.map((at, index) => at - (pulls[index - 1] ?? 0));
  for (const [index, expected] of [10, 21, 41, 81, 161, 301, 301].entries()) {
    assert.ok(Math.abs(gaps[index]! - expected) <= 2, `gap ${index} was ${gaps[index]}, expected about ${expected}`);
  }
});

test('a registry with authentication gets the credentials of the pod, or the reason is reported', async () => {
  const guarded: RegistryModel = { ...registry, pullSecrets: ['key'] };
  const { clock, live } = setup([guarded]);
  const without = live({});
  const withKey = live({ imagePullSecrets: [{ name: 'key' }] });
  await timeToReady(clock, withKey.life);
  const state = without.life.run.main[0]!.state;
  assert.equal(state.kind, 'waiting');
  assert.match((state as { message?: string }).message ?? '', /authorization failed/);
});

test('the pull policy is respected', async () => {
  const { clock, live } = setup();
  const never = live({ containers: [{ name: 'c', image: 'registry.test/web:1', imagePullPolicy: 'Never' }] });
  await clock.advance(1);
  assert.equal((never.life.run.main[0]!.state as { reason: string }).reason, 'ErrImageNeverPull');
  await timeToReady(clock, live({}).life);
  const always = await timeToReady(
    clock,
    live({ containers: [{ name: 'c', image: 'registry.test/web:1', imagePullPolicy: 'Always' }] }).life,
  );
  assert.equal(always, 100, 'the registry is queried, nothing is pulled again');
});

test('containers finish, fail and restart as the restart policy specifies', async () => {
  const { clock, live } = setup();
  const image = 'registry.test/web:1';
  const ok = live({
    restartPolicy: 'Never',
    containers: [{ name: 'c', image, command: ['sh', '-c', 'sleep 2; exit 0'] }],
  });
  const bad = live({ restartPolicy: 'Never', containers: [{ name: 'c', image, command: ['false'] }] });
  const again = live({
    restartPolicy: 'OnFailure',
    containers: [{ name: 'c', image, command: ['sh', '-c', 'exit 3'] }],
  });
  await clock.advance(120_000);
  assert.equal(ok.phase(), 'Succeeded');
  assert.equal(bad.phase(), 'Failed');
  assert.equal(again.phase(), 'Running');
  assert.ok(again.life.run.main[0]!.restarts >= 3);
  assert.equal((again.life.run.main[0]!.state as { reason?: string }).reason, 'CrashLoopBackOff');
  assert.equal(again.life.run.main[0]!.last?.code, 3);
});

test('a command that the image does not have fails to start', async () => {
  const { clock, live } = setup();
  const run = (command: string[]) =>
    live({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'registry.test/bare:1', command }] });
  const [shell, own] = [run(['sh', '-c', 'true']), run(['/app'])];
  await clock.advance(60_000);
  assert.equal(shell.phase(), 'Failed');
  assert.equal((shell.life.run.main[0]!.state as { reason?: string }).reason, 'StartError');
  assert.equal(own.phase(), 'Succeeded');
});

test('init containers run in order before the others start', async () => {
  const { clock, live } = setup();
  const image = 'registry.test/web:1';
  const pod = live({
    initContainers: [
      { name: 'one', image, command: ['sleep', '5'] },
      { name: 'two', image, command: ['sleep', '5'] },
    ],
  });
  await clock.advance(10_100 + 5_500);
  assert.deepEqual(
    pod.life.run.init.map(({ state }) => state.kind),
    ['exited', 'running'],
  );
  assert.equal(pod.phase(), 'Pending');
  await timeToReady(clock, pod.life);
  assert.equal(pod.phase(), 'Running');
  const conditions = pod.status()['conditions'] as { type: string; status: string }[];
  assert.ok(conditions.every(({ status }) => status === 'True'));
});

test('a pod that exceeds its active deadline fails and reports the reason', async () => {
  const { clock, live } = setup();
  const pod = live({ activeDeadlineSeconds: 30 });
  await clock.advance(31_000);
  assert.equal(pod.phase(), 'Failed');
  assert.equal(pod.status()['reason'], 'DeadlineExceeded');
});
