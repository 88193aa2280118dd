import {
  deploymentType,
  isAlreadyExists,
  keyOf,
  messageOf,
  podType,
  replicaSetType,
  uidOf,
} from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import type { ControllerParts, MakeController, RecordEvent, Runnable } from '../../parts.ts';
import { claimAll } from '../claim.ts';
import { claimable, concernedBy } from '../dependents.ts';
import type { Deployment, Pod, ReplicaSet } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, byNamespace, controllerOf, isControlledBy } from '../owners.ts';
import { isNamespaceGoing } from '../pod-maker.ts';
import { yielding } from '../reconciling.ts';
import { matcherOf } from '../selectors.ts';
import { condition, withCondition } from './conditions.ts';
import { type SetWrite, sameTemplate } from './draft.ts';
import { hasProgressDeadline } from './limits.ts';
import { planDeployment } from './plan-deployment.ts';

export const deploymentController: MakeController = (parts) => new Deployments(parts).runnable;

/** Rolls out each Deployment through its ReplicaSets. */
class Deployments {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #record: RecordEvent;
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;

  constructor(parts: ControllerParts) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#record = parts.events('deployment-controller');
    this.#deployments = informers.informer<Deployment>(deploymentType).addIndex(byNamespace.name, byNamespace.valuesOf);
    this.#sets = informers.informer<ReplicaSet>(replicaSetType).addIndex(byController.name, byController.valuesOf);
    this.#pods = informers.informer<Pod>(podType).addIndex(byController.name, byController.valuesOf);
    const types = [deploymentType, replicaSetType];
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, types);
    this.#controller = new Controller({
      name: 'Deployment',
      concurrency: 5,
      clock,
      log,
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#deployments)
      .watch(this.#sets, (set) => concernedBy(set, deploymentType, this.#deployments))
      .watch(this.#pods, () => []);
    this.runnable = this.#client.serve(this.#controller);
    this.#pods.addHandler({ onDelete: (pod) => this.#noteGone(pod) });
  }

  /** A Deployment with Recreate continues once its last pod is deleted, which no ReplicaSet reports. */
  #noteGone(pod: Pod): void {
    const { namespace } = pod.metadata;
    const setOwner = controllerOf(pod);
    if (setOwner?.kind !== replicaSetType.kind) return;
    const set = this.#sets.get(`${namespace}/${setOwner.name}`);
    const owner = set?.metadata.uid === setOwner.uid ? controllerOf(set) : undefined;
    const deployment = owner && this.#deployments.get(`${namespace}/${owner.name}`);
    if (!deployment || deployment.metadata.uid !== owner.uid || deployment.spec.strategy.type !== 'Recreate') return;
    const siblings = this.#sets.byIndex(byController.name, owner.uid);
    const left = siblings.some((sibling) => this.#pods.byIndex(byController.name, uidOf(sibling)).length > 0);
    if (!left) this.#controller.enqueue(keyOf(deployment));
  }

  async #reconcile(key: string): Promise<Outcome> {
    const deployment = this.#deployments.get(key);
    if (!deployment) return done;
    if (matcherOf(deployment.spec.selector).requirements.length === 0) return this.#refuseAll(deployment);
    const plan = planDeployment({
      deployment,
      sets: await this.#claimSets(deployment),
      podsOf: (set) => this.#pods.byIndex(byController.name, uidOf(set)),
      now: this.#parts.clock.now(),
    });
    for (const write of plan.writes) if (!(await this.#write(deployment, write))) return done;
    if (plan.replace) await this.#client.replace(deploymentType, plan.replace);
    for (const { type, reason, message } of plan.events) this.#record(deployment, type, reason, message);
    if (plan.status) await this.#client.replace(deploymentType, plan.status, { subresource: 'status' });
    return plan.requeueAfterMs === undefined ? done : requeueAfter(plan.requeueAfterMs);
  }

  async #refuseAll(deployment: Deployment): Promise<Outcome> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#record(deployment, 'Warning', 'SelectingAll', message);
    const { generation = 0 } = deployment.metadata;
    if ((deployment.status?.observedGeneration ?? 0) < generation) {
      const status = { ...deployment.status, observedGeneration: generation };
      await this.#client.replace(deploymentType, { ...deployment, status }, { subresource: 'status' });
    }
    return done;
  }

  #claimSets(deployment: Deployment): Promise<ReplicaSet[]> {
    const matcher = matcherOf(deployment.spec.selector);
    const candidates = claimable(this.#sets, deployment);
    const claimant = { client: this.#client, ownerType: deploymentType, owner: deployment, type: replicaSetType };
    return claimAll(claimant, candidates, (set) => matcher.matches(set.metadata.labels));
  }

  /** False if the plan is no longer valid. */
  async #write(deployment: Deployment, write: SetWrite): Promise<boolean> {
    if (write.kind === 'delete') {
      await this.#client.delete(replicaSetType, write.set.metadata, { propagationPolicy: 'Background' });
      return true;
    }
    if (write.kind === 'update') await this.#client.replace(replicaSetType, write.set);
    else if (!(await this.#create(deployment, write.set))) return false;
    const { event } = write;
    if (event) this.#record(deployment, event.type, event.reason, event.message);
    return true;
  }

  async #create(deployment: Deployment, set: ReplicaSet): Promise<boolean> {
    try {
      await this.#client.create(replicaSetType, set);
      return true;
    } catch (error) {
      if (isAlreadyExists(error)) await this.#countCollision(deployment, set);
      else if (!isNamespaceGoing(error)) await this.#reportFailure(deployment, set, error);
      if (isAlreadyExists(error)) return false;
      throw error;
    }
  }

  /** A ReplicaSet of another owner has the name: the next hash includes the collision count. */
  async #countCollision(deployment: Deployment, planned: ReplicaSet): Promise<void> {
    const present = await this.#client.get<ReplicaSet>(replicaSetType, planned.metadata);
    const own = isControlledBy(present, deployment) && sameTemplate(present.spec.template, deployment.spec.template);
    if (own) return this.#controller.enqueueAfter(keyOf(deployment), 10);
    const status = { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 };
    await this.#client.replace(deploymentType, { ...deployment, status }, { subresource: 'status' });
  }

  async #reportFailure(deployment: Deployment, set: ReplicaSet, error: unknown): Promise<void> {
    const reason = 'ReplicaSetCreateError';
    const message = `Failed to create new replica set "${set.metadata.name}": ${messageOf(error)}`;
    this.#record(deployment, 'Warning', reason, message);
    if (!hasProgressDeadline(deployment)) return;
    const failed = condition('Progressing', 'False', reason, message, this.#parts.clock.now());
    const status = withCondition(deployment.status ?? {}, failed);
    await this.#client.replace(deploymentType, { ...deployment, status }, { subresource: 'status' });
  }
}
