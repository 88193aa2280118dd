import {
  apiError,
  at,
  type Condition,
  formatTime,
  type Json,
  type JsonObject,
  type KubeObject,
  type LabelSelector,
  listAt,
  numberAt,
  objectAt,
  selectorFromObject,
  textAt,
} from '@fairlead/apimachinery';
import { refuse } from '../errors.ts';
import type { Draft, Resource } from '../resource.ts';
import { type Api, draftOf, ruleContext, type WriteRequest } from './api.ts';
import { deleteObject } from './delete.ts';
import { updateObject } from './update.ts';

type Budget = KubeObject & {
  spec?: { selector?: LabelSelector; unhealthyPodEvictionPolicy?: string };
  status?: {
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
    conditions?: Condition[];
  };
};

/** The maximum number of unconfirmed evictions. */
const mostUnconfirmed = 2_000;

/** A delete that a PodDisruptionBudget may refuse with 429. The pod gets a condition with the reason. */
export async function evictPod(api: Api, request: WriteRequest, eviction: Draft): Promise<void> {
  const { resource } = request;
  if (eviction.metadata?.name !== request.name)
    throw refuse.badRequest(`name in URL does not match name in Eviction object`);
  const stored = api.storage.head(resource.storage, request.namespace, request.name);
  if (!stored) throw refuse.notFound(resource, request.name);
  const pod = draftOf(resource, stored);
  if (!isUnguarded(pod)) spendBudget(api, request, pod);
  const grace = at(eviction, 'deleteOptions', 'gracePeriodSeconds');
  const uid = textAt(eviction, 'deleteOptions', 'preconditions', 'uid');
  const resourceVersion = textAt(eviction, 'deleteOptions', 'preconditions', 'resourceVersion');
  const unchanged = !resourceVersion || resourceVersion === pod.metadata.resourceVersion;
  if (unchanged && !request.dryRun) markEvicted(api, request);
  const { durable } = deleteObject(
    api,
    { ...request, subresource: '' },
    {
      ...(typeof grace === 'number' ? { graceSeconds: grace } : {}),
      ...(uid ? { uid } : {}),
      ...(unchanged ? {} : { resourceVersion }),
    },
  );
  await durable;
}

const conditionsOf = (pod: Draft): readonly Json[] => listAt(pod, 'status', 'conditions');

/** A pod that does not run, or is terminating, does not use the budget. */
function isUnguarded(pod: Draft): boolean {
  const phase = textAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || Boolean(pod.metadata.deletionTimestamp);
}

function markEvicted(api: Api, request: WriteRequest): void {
  updateObject(
    api,
    { ...request, subresource: 'status' },
    {
      trusted: true,
      transform(pod) {
        const conditions = conditionsOf(pod);
        const before = conditions.find((each) => textAt(each, 'type') === 'DisruptionTarget');
        const since = textAt(before, 'status') === 'True' ? textAt(before, 'lastTransitionTime') : '';
        const condition = {
          type: 'DisruptionTarget',
          status: 'True',
          lastProbeTime: null,
          lastTransitionTime: since || formatTime(api.clock.now()),
          reason: 'EvictionByEvictionAPI',
          message: 'Eviction API: evicting',
        };
        const kept = conditions.filter((each) => each !== before);
        pod['status'] = { ...objectAt(pod, 'status'), conditions: [...kept, condition] };
        return pod;
      },
    },
  );
}

function spendBudget(api: Api, request: WriteRequest, pod: Draft): void {
  const budgets = api.registry.stored('policy/poddisruptionbudgets');
  if (!budgets) return;
  const context = ruleContext(api, request, 'delete');
  const matching = [...context.find(budgets.storage, request.namespace)].filter((budget: Budget) =>
    selectorFromObject(budget.spec?.selector).matches(pod.metadata.labels),
  );
  const [budget] = matching;
  if (!budget) return;
  if (matching.length > 1) {
    throw apiError(
      500,
      undefined,
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (isFree(pod, budget)) return;
  checkBudget(budget);
  if (!request.dryRun) bookDisruption(api, request, budgets, budget);
}

/** An unready pod is not counted as healthy: its eviction is free if enough others are. */
function isFree(pod: Draft, { spec, status }: Budget): boolean {
  const isReady = conditionsOf(pod).some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );
  if (isReady) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

const budgetKind = { group: 'policy', plural: 'poddisruptionbudget', kind: 'PodDisruptionBudget' };

function checkBudget({ metadata, status = {} }: Budget): void {
  const { disruptionsAllowed = 0, observedGeneration = 0, disruptedPods = {} } = status;
  const { name, generation = 0 } = metadata;
  if (observedGeneration < generation) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (disruptionsAllowed < 0) throw refuse.forbidden(budgetKind, name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > mostUnconfirmed) {
    const reason = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw refuse.forbidden(budgetKind, name, reason);
  }
  if (disruptionsAllowed === 0) throw tooMany(whyNone(name, status));
}

function whyNone(name: string, { currentHealthy = 0, desiredHealthy = 0, conditions }: NonNullable<Budget['status']>) {
  const condition = conditions?.find(({ type, status }) => type === 'DisruptionAllowed' && status === 'False');
  const none = `The disruption budget ${name} does not allow evicting pods currently`;
  if (condition?.message && condition.reason === 'SyncFailed') {
    return `${none} because it failed sync: ${condition.message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return condition?.message ? `${none} (${condition.reason}): ${condition.message}` : none;
}

/** The pod counts as evicted before its deletion, so that two evictions do not use the same allowance. */
function bookDisruption(api: Api, request: WriteRequest, budgets: Resource, budget: Budget): void {
  updateObject(
    api,
    { ...request, resource: budgets, name: budget.metadata.name, subresource: 'status' },
    {
      transform(next) {
        const status = objectAt(next, 'status') ?? {};
        const left = numberAt(status, 'disruptionsAllowed') - 1;
        const now = formatTime(api.clock.now());
        next['status'] = {
          ...status,
          disruptionsAllowed: left,
          disruptedPods: { ...objectAt(status, 'disruptedPods'), [request.name]: now },
          ...(left === 0 ? { conditions: spentConditions(status, now) } : {}),
        };
        return next;
      },
    },
  );
}

function spentConditions(status: JsonObject, now: string): Json[] {
  const conditions = listAt(status, 'conditions');
  const observedGeneration = numberAt(status, 'observedGeneration');
  const before = conditions.find((each) => textAt(each, 'type') === 'DisruptionAllowed');
  const since = textAt(before, 'status') === 'False' ? textAt(before, 'lastTransitionTime') : '';
  const spent = {
    type: 'DisruptionAllowed',
    status: 'False',
    ...(observedGeneration ? { observedGeneration } : {}),
    lastTransitionTime: since || now,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...conditions.filter((each) => each !== before), spent];
}

const tooMany = (cause: string, retryAfterSeconds?: number): Error =>
  apiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  });
