import { type Application, type ApplicationSet, type ApplicationSetStatus, applicationSetKind } from '@fairlead/api';
import { formatTime, isForbidden, messageOf } from '@fairlead/apimachinery';
import { done, type Outcome, requeueAfter } from '@fairlead/kube';
import { deleteApplications, type Written, writeApplications } from './applications/apply-plan.ts';
import { heldDeletions } from './applications/deletion-brake.ts';
import { changedSpecs, type PlanInput, planApplications } from './applications/plan.ts';
import { describeProblems, validateApplications } from './applications/validate.ts';
import { deleteSet } from './delete-set.ts';
import { GenerationFailed, generate, resourcesFinalizer } from './generate.ts';
import { refreshAnnotation } from './generators/git.ts';
import { knownClusters } from './known-clusters.ts';
import { allowedChanges } from './policy.ts';
import type { ApplicationSetEnv } from './reconcile-env.ts';
import { requeueMs } from './requeue.ts';
import { type RolloutResult, runRollout } from './rollout/rollout.ts';
import { isDeletionReversed, isRollingSync, rolloutSteps } from './rollout/rollout-strategy.ts';
import { inRollout, withoutAutomatedSync } from './rollout/sync-operation.ts';
import { type NewCondition, withConditions } from './status/conditions.ts';
import { withResources } from './status/resources.ts';
import { writeStatus } from './status/write-status.ts';

/** After how long what went wrong is tried again when no event comes. */
const retryMs = 3 * 60_000;

/** One reconcile of an ApplicationSet, from top to bottom. */
export async function reconcileSet(env: ApplicationSetEnv, set: ApplicationSet): Promise<Outcome> {
  if (set.metadata.deletionTimestamp) return deleteSet(env, set);
  return new Reconcile(env, await withDeletionFinalizer(env, set)).run();
}

/** A deletion in order is held by a finalizer. */
async function withDeletionFinalizer(
  { client, settings }: ApplicationSetEnv,
  set: ApplicationSet,
): Promise<ApplicationSet> {
  const { namespace = '', name, finalizers = [] } = set.metadata;
  if (!settings.progressiveSyncs || !isDeletionReversed(set) || finalizers.includes(resourcesFinalizer)) return set;
  const patch = { metadata: { finalizers: [...finalizers, resourcesFinalizer] } };
  return client.patch<ApplicationSet>(applicationSetKind.type, { namespace, name }, 'merge', patch);
}

class Reconcile {
  readonly #env: ApplicationSetEnv;
  readonly #now: string;
  #set: ApplicationSet;
  #status: ApplicationSetStatus;
  #generated = false;

  constructor(env: ApplicationSetEnv, set: ApplicationSet) {
    this.#env = env;
    this.#set = set;
    this.#status = set.status ?? {};
    this.#now = formatTime(env.clock.now());
  }

  async run(): Promise<Outcome> {
    const { settings } = this.#env;
    let applications: Application[];
    try {
      applications = await generate(this.#set, this.#env, this.#env.rendered?.(this.#set));
    } catch (error) {
      if (!(error instanceof GenerationFailed)) throw error;
      return this.#stop(error.reason, error.message);
    }
    this.#generated = true;
    const problems = this.#validate(applications);
    const valid = applications.filter(({ metadata }) => !problems.has(metadata.name));
    const rollout = await this.#rollOut(applications);
    if (rollout === 'no steps') return this.#stop('ApplicationSetRolloutError', 'No steps defined for rollout');
    if (problems.size > 0) this.#fail('ApplicationValidationError', describeProblems(problems));
    // What Applications are asked for is on record before they are asked: after a crash, another process goes on from here.
    if (rollout) await this.#save();
    const desired = rollout ? valid.map((one) => inRollout(one, rollout.toSync.has(one.metadata.name))) : valid;
    const held = await this.#write(desired, new Set(applications.map(({ metadata }) => metadata.name)));
    await this.#removeRefresh();
    if (problems.size === 0 && held === undefined) this.#succeed();
    await this.#save();
    const again = requeueMs(this.#set, settings.requeueMs) || (problems.size > 0 || held !== undefined ? retryMs : 0);
    return again > 0 ? requeueAfter(again) : done;
  }

  #validate(applications: readonly Application[]): Map<string, string> {
    const { project, objects, settings } = this.#env;
    return validateApplications(this.#set, applications, {
      hasProject: (name) => project(name) !== undefined,
      clusters: knownClusters(objects.clusterSecrets()),
      inCluster: settings.inCluster,
    });
  }

  /** Undefined without a rollout. */
  async #rollOut(generated: readonly Application[]): Promise<RolloutResult | 'no steps' | undefined> {
    if (!this.#env.settings.progressiveSyncs || !isRollingSync(this.#set)) {
      const { applicationStatus: _, ...rest } = this.#status;
      this.#status = rest;
      return undefined;
    }
    if (rolloutSteps(this.#set).length === 0) return 'no steps';
    const input = { ...this.#lookup(), set: this.#set, generated, jq: this.#env.jq };
    const changed = await changedSpecs(input, ({ spec }) => withoutAutomatedSync(spec));
    const result = runRollout({ set: this.#set, current: this.#current(), generated, changed, now: this.#now });
    const { applicationStatus: _, ...rest } = this.#status;
    this.#status = { ...rest, ...(result.statuses.length > 0 ? { applicationStatus: [...result.statuses] } : {}) };
    this.#conditions(result.conditions);
    return result;
  }

  /** Creates, updates and deletes; gives the reason why deletions are held, if they are. */
  async #write(generated: readonly Application[], names: ReadonlySet<string>): Promise<string | undefined> {
    const { settings, objects } = this.#env;
    const current = this.#current();
    const allowed = allowedChanges(this.#set, settings);
    const { preservedFields } = this.#set.spec;
    const plan = await planApplications({
      ...this.#lookup(),
      set: this.#set,
      generated,
      names,
      current,
      allowed,
      preserved: {
        annotations: [...(preservedFields?.annotations ?? []), ...settings.preservedAnnotations],
        labels: [...(preservedFields?.labels ?? []), ...settings.preservedLabels],
      },
      jq: this.#env.jq,
    });
    const written: Written = new Map();
    const reason = allowed.update ? 'UpdateApplicationError' : 'CreateApplicationError';
    await this.#orFail(reason, () => writeApplications(this.#env, this.#set, plan, written));
    const deletions = plan.delete.filter(({ metadata }) => !metadata.deletionTimestamp);
    const held = heldDeletions(this.#set, deletions, current.length, settings.maxDeletionPercent);
    if (held === undefined) {
      const clusters = knownClusters(objects.clusterSecrets());
      const env = { ...this.#env, clusters, inCluster: settings.inCluster };
      await this.#orFail('DeleteApplicationError', () => deleteApplications(env, this.#set, deletions, written));
    } else this.#fail('DeleteApplicationError', held);
    const after = new Map(current.map((one) => [one.metadata.name, one]));
    for (const [name, application] of written) {
      if (application) after.set(name, application);
      else after.delete(name);
    }
    this.#status = withResources(this.#status, [...after.values()], settings.maxResourcesInStatus);
    return held;
  }

  #current(): readonly Application[] {
    const { namespace = '', name } = this.#set.metadata;
    return this.#env.applications.ownedBy(namespace, name);
  }

  #lookup(): Pick<PlanInput, 'find'> {
    const { namespace = '' } = this.#set.metadata;
    return { find: (name) => this.#env.applications.get(namespace, name) };
  }

  async #removeRefresh(): Promise<void> {
    const { namespace = '', name, annotations } = this.#set.metadata;
    if (annotations?.[refreshAnnotation] === undefined) return;
    const patch = { metadata: { annotations: { [refreshAnnotation]: null } } };
    const key = { namespace, name };
    const changed = await this.#orFail('RefreshApplicationError', () =>
      this.#env.client.patch<ApplicationSet>(applicationSetKind.type, key, 'merge', patch),
    );
    this.#set = { ...changed, ...(this.#set.status ? { status: this.#set.status } : {}) };
  }

  /** An error of the API is in the status, and thrown, so that it is tried again after a pause. */
  async #orFail<T>(reason: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#fail(reason, messageOf(error));
      await this.#save().catch((other: unknown) => {
        if (!isForbidden(other)) throw other;
      });
      throw error;
    }
  }

  async #stop(reason: string, message: string): Promise<Outcome> {
    this.#fail(reason, message);
    await this.#save();
    return requeueAfter(retryMs);
  }

  #fail(reason: string, message: string): void {
    this.#conditions([{ type: 'ErrorOccurred', status: 'True', reason, message }]);
  }

  #succeed(): void {
    const message = 'All applications have been generated successfully';
    this.#conditions([{ type: 'ResourcesUpToDate', status: 'True', reason: 'ApplicationSetUpToDate', message }]);
  }

  #conditions(conditions: readonly NewCondition[]): void {
    this.#status = withConditions(this.#status, conditions, {
      isRolling: isRollingSync(this.#set),
      parametersGenerated: this.#generated,
      now: this.#now,
    });
  }

  async #save(): Promise<void> {
    this.#set = await writeStatus(this.#env.client, this.#set, this.#status);
  }
}
