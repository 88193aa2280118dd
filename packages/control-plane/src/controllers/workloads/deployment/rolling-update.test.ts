import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deployment, now, replicaSet, template } from '../../../../test/support/sample-objects.ts';
import type { Amount, Deployment, ReplicaSet } from '../kinds.ts';
import { isComplete } from './deployment-status.ts';
import { totalReplicas } from './draft.ts';
import { maxSurge, maxUnavailable } from './limits.ts';
import { planDeployment } from './plan-deployment.ts';

const fences: readonly [surge: Amount, unavailable: Amount, replicas: number, number, number][] = [
  ['25%', '25%', 4, 1, 1],
  ['25%', '25%', 3, 1, 0],
  ['0%', '1%', 2, 0, 1],
  ['1%', '25%', 1, 1, 0],
  [0, '1%', 1, 0, 1],
  [5, 0, 3, 5, 0],
  [1, 9, 3, 1, 3],
];

test('percentages of pods are rounded so that a rollout can progress', () => {
  for (const [surge, unavailable, replicas, expectedSurge, expectedUnavailable] of fences) {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
    const subject = deployment({ replicas, strategy });
    const why = `${surge} ${unavailable} of ${replicas}`;
    assert.deepEqual([maxSurge(subject), maxUnavailable(subject)], [expectedSurge, expectedUnavailable], why);
  }
});

/** A minimal cluster: generated actions decide when ReplicaSets are reconciled and pods become ready. */
class SmallCluster {
  deployment: Deployment;
  sets: ReplicaSet[];

  constructor(subject: Deployment) {
    this.sets = [replicaSet(subject, 'old', { replicas: subject.spec.replicas })];
    this.deployment = { ...subject, spec: { ...subject.spec, template: template('a:2') } };
  }

  reconcile(): void {
    const { deployment: subject, sets } = this;
    const plan = planDeployment({ deployment: subject, sets, podsOf: () => [], now });
    for (const { kind, set } of plan.writes) {
      const uid = set.metadata.uid ?? 'uid-next';
      const generation = (set.metadata.generation ?? 0) + 1;
      const stored = { ...set, metadata: { ...set.metadata, uid, generation } };
      this.sets = this.sets.filter(({ metadata }) => metadata.name !== set.metadata.name);
      if (kind !== 'delete') this.sets.push(stored);
    }
    if (plan.status) this.deployment = plan.status;
  }

  /** The ReplicaSet controller creates or deletes pods, unavailable ones first. */
  settle(index: number): void {
    const set = this.sets[index % this.sets.length]!;
    const replicas = set.spec.replicas;
    const available = Math.min(set.status?.availableReplicas ?? 0, replicas);
    this.#setStatus(set, { replicas, available });
  }

  makeReady(index: number): void {
    const set = this.sets[index % this.sets.length]!;
    const { replicas = 0, availableReplicas = 0 } = set.status ?? {};
    this.#setStatus(set, { replicas, available: Math.min(availableReplicas + 1, replicas) });
  }

  /** Available pods that are not about to be deleted. */
  get serving(): number {
    return this.sets.reduce(
      (sum, { spec, status }) => sum + Math.min(spec.replicas, status?.availableReplicas ?? 0),
      0,
    );
  }

  #setStatus(set: ReplicaSet, { replicas, available }: { replicas: number; available: number }): void {
    const observedGeneration = set.metadata.generation ?? 0;
    const counts = { readyReplicas: available, availableReplicas: available };
    const status = { replicas, ...counts, terminatingReplicas: 0, observedGeneration };
    this.sets = this.sets.map((each) => (each === set ? { ...set, status } : each));
  }
}

const amount = fc.oneof(
  fc.nat(4),
  fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`),
);
const move = fc.tuple(fc.constantFrom('reconcile', 'settle', 'makeReady'), fc.nat(3));

test('a rolling update never exceeds maxSurge or maxUnavailable, and completes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      amount,
      amount,
      fc.array(move, { maxLength: 60 }),
      (replicas, surge, unavailable, moves) => {
        const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } };
        const subject = deployment({ replicas, strategy });
        const cluster = new SmallCluster(subject);
        const check = () => {
          assert.ok(totalReplicas(cluster.sets) <= replicas + maxSurge(subject), `${totalReplicas(cluster.sets)} pods`);
          assert.ok(cluster.serving >= replicas - maxUnavailable(subject), `${cluster.serving} serving`);
        };
        for (const [kind, index] of moves) {
          if (kind === 'reconcile') cluster.reconcile();
          else if (kind === 'settle') cluster.settle(index);
          else cluster.makeReady(index);
          check();
        }
        for (
          let round = 0;
          round < 200 && !isComplete(cluster.deployment, cluster.deployment.status ?? {});
          round += 1
        ) {
          cluster.reconcile();
          check();
          for (const index of cluster.sets.keys()) {
            cluster.settle(index);
            cluster.makeReady(index);
          }
        }
        cluster.reconcile();
        const left = cluster.sets.filter(({ spec }) => spec.replicas > 0);
        assert.deepEqual(
          left.map(({ spec }) => spec.template.spec.containers[0]?.['image']),
          ['a:2'],
        );
        assert.equal(left[0]?.spec.replicas, replicas);
      },
    ),
    { numRuns: 150 },
  );
});
