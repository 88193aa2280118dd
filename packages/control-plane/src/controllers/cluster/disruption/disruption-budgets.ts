import { formatTime, keyOf, messageOf, podType } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type Outcome, requeueAfter } from '@fairlead/kube';
import { splitKey } from '../../keys.ts';
import type { MakeController } from '../../parts.ts';
import { budgetType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import { isFinished, isReady, type Pod, podCondition } from '../objects.ts';
import { indexPods, podsSelected } from '../pods-by-labels.ts';
import { compileSelector } from '../scheduler/selection.ts';
import { SelectorIndex } from '../selector-index.ts';
import { settling } from '../settling.ts';
import {
  assessBudget,
  type Budget,
  type BudgetStatus,
  countsOwners,
  failedStatus,
  isSameStatus,
  printedSelector,
} from './budget-status.ts';
import { desiredScale } from './desired-scale.ts';

/** A pod that was marked for disruption and still exists after this time was not disrupted. */
const staleMarkMs = 2 * 60_000;

const isSame = (old: Pod, pod: Pod): boolean =>
  isReady(old) === isReady(pod) &&
  old.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
  JSON.stringify(old.metadata.labels) === JSON.stringify(pod.metadata.labels);

/** Maintains the status of PodDisruptionBudgets: how many of their pods may be disrupted now. */
export const disruptionBudgets: MakeController = (parts) => {
  const { clock, informers } = parts;
  const client = parts.client('disruption-controller');
  const record = parts.events('controllermanager');
  const budgets = informers.informer<Budget>(budgetType);
  const pods = indexPods(informers.informer<Pod>(podType));
  const index = new SelectorIndex();

  const controller = new Controller({
    name: 'disruption',
    concurrency: 4,
    clock,
    log: parts.log,
    reconcile: settling((key) => {
      const [kind, name] = splitKey(key);
      return kind === 'pod' ? clearMark(name) : assess(name);
    }),
  });

  const assess = async (key: string): Promise<Outcome> => {
    const budget = budgets.get(key);
    if (!budget) return done;
    const { selector } = budget.spec ?? {};
    const selected = selector ? podsSelected(pods, budget.metadata.namespace ?? '', selector) : [];
    if (selected.length === 0) record(budget, 'Normal', 'NoPods', 'No matching pods found');
    let scale = 0;
    if (countsOwners(budget)) {
      try {
        const desired = await desiredScale(client, parts.kinds(), selected);
        scale = desired.scale;
        if (desired.unmanaged.length > 0) record(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
      } catch (error) {
        const message = messageOf(error);
        const words = `Failed to calculate the number of expected pods: ${message}`;
        record(budget, 'Warning', 'CalculateExpectedPodCountFailed', words);
        await write(client, budget, failedStatus(budget, message, clock.now()));
        throw error;
      }
    }
    const { status, recheckInMs, notDeleted } = assessBudget(budget, selected, scale, clock.now());
    for (const pod of notDeleted) {
      const { namespace } = budget.metadata;
      record(
        pod,
        'Warning',
        'NotDeleted',
        `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`,
      );
    }
    await write(client, budget, status);
    return recheckInMs === undefined ? done : requeueAfter(recheckInMs);
  };

  const clearMark = async (key: string): Promise<Outcome> => {
    const pod = pods.get(key);
    const since = pod && markedSince(pod);
    if (since === undefined) return done;
    const left = since + staleMarkMs - clock.now();
    if (left > 0) return requeueAfter(left);
    const { generation, uid } = pod!.metadata;
    const condition = {
      type: 'DisruptionTarget',
      ...(generation ? { observedGeneration: generation } : {}),
      status: 'False',
      reason: null,
      message: null,
      lastTransitionTime: formatTime(clock.now()),
    };
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    await forgiving(client.patch(podType, pod!.metadata, 'strategic', body, { subresource: 'status' }));
    return done;
  };

  const enqueueBudgetsOf = (pod: Pod): void => {
    for (const key of index.selecting(pod.metadata.namespace ?? '', pod.metadata.labels))
      controller.enqueue(`budget ${key}`);
  };
  pods.addHandler({
    onAdd: (pod) => {
      enqueueBudgetsOf(pod);
      if (markedSince(pod) !== undefined) controller.enqueue(`pod ${keyOf(pod)}`);
    },
    onUpdate: (old, pod) => {
      if (!isSame(old, pod)) {
        enqueueBudgetsOf(old);
        enqueueBudgetsOf(pod);
      }
      if (markedSince(pod) !== undefined && markedSince(old) === undefined) controller.enqueue(`pod ${keyOf(pod)}`);
    },
    onDelete: enqueueBudgetsOf,
  });
  const follow = (budget: Budget): void => {
    const { selector } = budget.spec ?? {};
    const { namespace = '' } = budget.metadata;
    if (selector) index.set(keyOf(budget), namespace, selector.matchLabels ?? {}, compileSelector(selector).matches);
    else index.delete(keyOf(budget));
  };
  budgets.addHandler({
    onAdd: follow,
    onUpdate: (_old, budget) => follow(budget),
    onDelete: (budget) => index.delete(keyOf(budget)),
  });
  return controller.watch(budgets, (budget) => [`budget ${keyOf(budget)}`]).watch(pods, () => []);
};

async function write(client: ApiClient, budget: Budget, status: BudgetStatus): Promise<void> {
  if (isSameStatus(budget.status, status)) return;
  await forgiving(client.replace(budgetType, { ...budget, status }, { subresource: 'status' }));
}

/** When a pod that is not terminating was marked; marks of its kubelet have no timeout. */
function markedSince(pod: Pod): number | undefined {
  const mark = podCondition(pod, 'DisruptionTarget');
  if (mark?.status !== 'True' || mark.reason === 'TerminationByKubelet') return undefined;
  if (pod.metadata.deletionTimestamp || isFinished(pod)) return undefined;
  return Date.parse(mark.lastTransitionTime ?? '') || 0;
}

const unmanagedMessage = ({ spec }: Budget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${printedSelector(spec?.selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
