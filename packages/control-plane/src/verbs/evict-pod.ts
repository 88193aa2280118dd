import { apiError, type KubeObject } from '@fairlead/kube';
import { refuse } from '../errors.ts';
import type { Draft } from '../resource.ts';
import { selectorFromObject } from '../selectors/label-selector.ts';
import { type Api, draftOf, ruleContext, timestamp, type WriteRequest } from './api.ts';
import { deleteObject } from './delete.ts';
import { updateObject } from './update.ts';

type Budget = KubeObject & {
  spec?: { selector?: Parameters<typeof selectorFromObject>[0]; unhealthyPodEvictionPolicy?: string };
  status?: {
    disruptionsAllowed?: number;
    currentHealthy?: number;
    desiredHealthy?: number;
    observedGeneration?: number;
    disruptedPods?: Record<string, string>;
  };
};
type Eviction = {
  metadata?: { name?: string };
  deleteOptions?: { gracePeriodSeconds?: number; preconditions?: { uid?: string; resourceVersion?: string } };
};

/** A delete that a PodDisruptionBudget may refuse with 429. */
export async function evictPod(api: Api, request: WriteRequest, eviction: Draft): Promise<void> {
  const { resource } = request;
  const stored = api.storage.head(resource.storage, request.namespace, request.name);
  if (!stored) throw refuse.notFound(resource, request.name);
  const pod = draftOf(resource, stored);
  const { deleteOptions, metadata } = eviction as unknown as Eviction;
  if (metadata?.name && metadata.name !== request.name)
    throw refuse.badRequest(`name in URL does not match name in Eviction object`);
  const phase = (pod['status'] as { phase?: string } | undefined)?.phase;
  if (phase !== 'Succeeded' && phase !== 'Failed' && phase !== 'Pending') spendBudget(api, request, pod);
  const { durable } = deleteObject(
    api,
    { ...request, subresource: '' },
    {
      ...(deleteOptions?.gracePeriodSeconds !== undefined ? { graceSeconds: deleteOptions.gracePeriodSeconds } : {}),
      ...(deleteOptions?.preconditions ?? {}),
    },
  );
  await durable;
}

function spendBudget(api: Api, request: WriteRequest, pod: Draft): void {
  const budgets = api.registry.stored('policy/poddisruptionbudgets');
  if (!budgets) return;
  const context = ruleContext(api, request, 'delete');
  const matching = [...context.find(budgets.storage, request.namespace)].filter((budget) =>
    selectorFromObject((budget as Budget).spec?.selector).matches(pod.metadata.labels),
  ) as Budget[];
  if (matching.length === 0) return;
  if (matching.length > 1) {
    throw apiError(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const budget = matching[0]!;
  const allowed = budget.status?.disruptionsAllowed ?? 0;
  if (allowed <= 0) throw tooMany(budget);
  if (request.dryRun) return;
  updateObject(
    api,
    { ...request, resource: budgets, name: budget.metadata.name, subresource: 'status' },
    {
      transform(old) {
        const next = old as Draft;
        const status = (next['status'] ??= {}) as NonNullable<Budget['status']>;
        status.disruptionsAllowed = allowed - 1;
        status.disruptedPods = { ...status.disruptedPods, [request.name]: timestamp(api.clock.now()) };
        return next;
      },
    },
  );
}

function tooMany(budget: Budget): Error {
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return apiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      },
    ],
  });
}
