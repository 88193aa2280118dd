import { keyOf, podType, statefulSetType, uidOf } from '@fairlead/apimachinery';
import { Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { same } from '../../../kinds/workloads/equality.ts';
import type { ControllerParts, MakeController, Runnable } from '../../parts.ts';
import { claimType, revisionType } from '../../resource-types.ts';
import { claimAll } from '../claim.ts';
import { claimable, concernedBy } from '../dependents.ts';
import type { Claim, ControllerRevision, Pod, StatefulSet } from '../kinds.ts';
import { readingOwnWrites, type WaitingWriter } from '../own-writes.ts';
import { byController, byNamespace, isControlledBy } from '../owners.ts';
import { nextAvailableMs } from '../pods.ts';
import { yielding } from '../reconciling.ts';
import {
  byRevision,
  createRevision,
  deleteRevision,
  sameData,
  templateIn,
  templatePatch,
} from '../revision-history.ts';
import { matcherOf } from '../selectors.ts';
import { slowStart } from '../slow-start.ts';
import { MemberKeeper } from './member-keeper.ts';
import { isMember, revisionOf } from './members.ts';
import { planMembers } from './plan-members.ts';
import { type Revisions, statefulSetStatus } from './stateful-set-status.ts';

export const statefulSetController: MakeController = (parts) => new StatefulSets(parts).runnable;

const hashLabel = 'controller.kubernetes.io/hash';

/** Maintains the pods of each StatefulSet, one by one. */
class StatefulSets {
  readonly runnable: Runnable;
  readonly #controller: Controller;
  readonly #parts: ControllerParts;
  readonly #client: WaitingWriter;
  readonly #keeper: MemberKeeper;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<Claim>;
  readonly #revisions: Informer<ControllerRevision>;

  constructor(parts: ControllerParts) {
    const { informers, clock, log } = parts;
    this.#parts = parts;
    this.#sets = informers.informer<StatefulSet>(statefulSetType).addIndex(byNamespace.name, byNamespace.valuesOf);
    this.#pods = informers.informer<Pod>(podType).addIndex(byController.name, byController.valuesOf);
    this.#claims = informers.informer<Claim>(claimType);
    this.#revisions = informers
      .informer<ControllerRevision>(revisionType)
      .addIndex(byController.name, byController.valuesOf);
    const types = [statefulSetType, podType, claimType, revisionType];
    this.#client = readingOwnWrites(parts.client('kube-controller-manager'), informers, clock, types);
    this.#keeper = new MemberKeeper(this.#client, this.#claims, parts.events('statefulset-controller'));
    this.#controller = new Controller({
      name: 'StatefulSet',
      concurrency: 5,
      clock,
      log,
      reconcile: yielding((key) => this.#reconcile(key)),
    })
      .watch(this.#sets)
      .watch(this.#pods, (pod) => concernedBy(pod, statefulSetType, this.#sets))
      .watch(this.#revisions, () => [])
      .watch(this.#claims, () => []);
    this.runnable = this.#client.serve(this.#controller);
  }

  async #reconcile(key: string): Promise<Outcome> {
    const set = this.#sets.get(key);
    if (!set) return done;
    const now = this.#parts.clock.now();
    const history = await this.#claimRevisions(set);
    const pods = await this.#claimPods(set);
    const { current, update, collisions } = await this.#settleRevisions(set, history);
    const revisions = { current: current.metadata.name, update: update.metadata.name, collisions };
    const actions = planMembers({
      set,
      current: { name: revisions.current, template: templateIn(current) },
      update: { name: revisions.update, template: templateIn(update) },
      pods,
      claim: (name) => this.#claims.get(`${set.metadata.namespace}/${name}`),
      now,
    });
    try {
      const run = (action: (typeof actions)[number]) => this.#keeper.carryOut(set, action);
      if (set.spec.podManagementPolicy === 'Parallel') await slowStart(actions, run);
      else for (const action of actions) await run(action);
    } finally {
      await this.#writeStatus(set, revisions);
    }
    await this.#prune(set, pods, history, revisions);
    const { minReadySeconds = 0 } = set.spec;
    const next = minReadySeconds > 0 ? nextAvailableMs(pods, minReadySeconds, now) : undefined;
    return next === undefined ? done : requeueAfter(Math.max(next, 1));
  }

  #claimPods(set: StatefulSet): Promise<Pod[]> {
    const matcher = matcherOf(set.spec.selector);
    const candidates = claimable(this.#pods, set);
    const claimant = { client: this.#client, ownerType: statefulSetType, owner: set, type: podType };
    return claimAll(claimant, candidates, (pod) => matcher.matches(pod.metadata.labels) && isMember(set, pod));
  }

  /** Revisions without an owner are adopted; others that do not belong to the StatefulSet are ignored. */
  async #claimRevisions(set: StatefulSet): Promise<ControllerRevision[]> {
    const matcher = matcherOf(set.spec.selector);
    const candidates = claimable(this.#revisions, set).filter(({ metadata }) => matcher.matches(metadata.labels));
    const claimant = { client: this.#client, ownerType: statefulSetType, owner: set, type: revisionType };
    return (await claimAll(claimant, candidates, () => true)).sort(byRevision);
  }

  /** The newest revision is that of the current template; an existing equal one gets the highest number. */
  async #settleRevisions(
    set: StatefulSet,
    history: readonly ControllerRevision[],
  ): Promise<{ current: ControllerRevision; update: ControllerRevision; collisions: number }> {
    const { template } = set.spec;
    const latest = history.at(-1);
    const next = (latest?.revision ?? 0) + 1;
    const equal = history.findLast((revision) => sameData(revision, { data: templatePatch(template) }));
    let collisions = set.status?.collisionCount ?? 0;
    let update: ControllerRevision;
    if (equal)
      update = equal === latest ? equal : await this.#client.replace(revisionType, { ...equal, revision: next });
    else {
      const desired = { type: statefulSetType, owner: set, template, hashLabel, revision: next };
      ({ revision: update, collisions } = await createRevision(this.#client, desired, collisions));
    }
    const current = history.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    return { current, update, collisions };
  }

  async #writeStatus(planned: StatefulSet, revisions: Revisions): Promise<void> {
    const set = this.#sets.get(keyOf(planned));
    if (!set || set.metadata.uid !== planned.metadata.uid) return;
    const pods = this.#pods
      .byIndex(byController.name, uidOf(set))
      .filter((pod) => isControlledBy(pod, set) && isMember(set, pod));
    const status = statefulSetStatus(planned, pods, revisions, this.#parts.clock.now());
    if (same(status, set.status)) return;
    await this.#client.replace(statefulSetType, { ...set, status }, { subresource: 'status' });
  }

  /** Unused revisions are kept up to a limit, the oldest are deleted first. */
  async #prune(
    set: StatefulSet,
    pods: readonly Pod[],
    history: readonly ControllerRevision[],
    { current, update }: Revisions,
  ): Promise<void> {
    const live = new Set([current, update, ...pods.map(revisionOf)]);
    const idle = history.filter(({ metadata }) => !live.has(metadata.name));
    const surplus = idle.length - (set.spec.revisionHistoryLimit ?? 10);
    for (const revision of idle.slice(0, Math.max(0, surplus))) await deleteRevision(this.#client, revision);
  }
}
