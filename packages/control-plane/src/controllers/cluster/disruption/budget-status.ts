import type { KubeObject, LabelSelector } from '@fairlead/apimachinery';
import { formatTime } from '@fairlead/apimachinery';
import { isReady, type Pod } from '../objects.ts';

export interface BudgetCondition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

export interface BudgetStatus {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: BudgetCondition[];
}

export interface Budget extends KubeObject {
  spec?: { selector?: LabelSelector; minAvailable?: number | string; maxUnavailable?: number | string };
  status?: BudgetStatus;
}

/** An eviction without a deletion after this time is ignored. */
const deletionTimeoutMs = 2 * 60_000;

/** A number, or a percentage rounded up. */
export function amountOf(value: number | string, whole: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) * whole) / 100);
}

/** Whether the expected number follows from the owners of the pods and not from the existing pods. */
export const countsOwners = ({ spec }: Budget): boolean =>
  spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';

/** The expected number of pods, and of healthy ones. `scale` is the scale of the owners of the pods. */
export function expectation({ spec }: Budget, pods: number, scale: number): { expected: number; healthy: number } {
  if (spec?.maxUnavailable !== undefined) {
    return { expected: scale, healthy: Math.max(0, scale - amountOf(spec.maxUnavailable, scale)) };
  }
  if (typeof spec?.minAvailable === 'string') return { expected: scale, healthy: amountOf(spec.minAvailable, scale) };
  if (spec?.minAvailable === undefined) return { expected: 0, healthy: 0 };
  return { expected: pods, healthy: spec.minAvailable };
}

export interface Assessment {
  readonly status: BudgetStatus;
  /** When a pending eviction times out. */
  readonly recheckInMs?: number;
  /** Pods that were evicted and still exist. */
  readonly notDeleted: readonly Pod[];
}

export function assessBudget(budget: Budget, pods: readonly Pod[], scale: number, now: number): Assessment {
  const disruptedPods: Record<string, string> = {};
  const notDeleted: Pod[] = [];
  let recheckInMs: number | undefined;
  for (const pod of pods) {
    const since = budget.status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined || pod.metadata.deletionTimestamp) continue;
    const left = Date.parse(since) + deletionTimeoutMs - now;
    if (left < 0) notDeleted.push(pod);
    else {
      disruptedPods[pod.metadata.name] = since;
      recheckInMs = Math.min(recheckInMs ?? left, left);
    }
  }
  const { expected, healthy: desiredHealthy } = expectation(budget, pods.length, scale);
  const currentHealthy = pods.filter(
    (pod) => !pod.metadata.deletionTimestamp && disruptedPods[pod.metadata.name] === undefined && isReady(pod),
  ).length;
  const disruptionsAllowed = expected > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const status: BudgetStatus = {
    observedGeneration: budget.metadata.generation ?? 0,
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
  };
  const condition =
    disruptionsAllowed > 0
      ? { status: 'True', reason: 'SufficientPods', message: '' }
      : { status: 'False', reason: 'InsufficientPods', message: '' };
  status.conditions = withCondition(budget, condition, status.observedGeneration ?? 0, now);
  return { status, notDeleted, ...(recheckInMs === undefined ? {} : { recheckInMs }) };
}

/** Nothing may be disrupted while the expected number is unknown. */
export function failedStatus(budget: Budget, message: string, now: number): BudgetStatus {
  const condition = { status: 'False', reason: 'SyncFailed', message };
  const observed = budget.status?.observedGeneration ?? 0;
  return { ...budget.status, disruptionsAllowed: 0, conditions: withCondition(budget, condition, observed, now) };
}

function withCondition(
  budget: Budget,
  words: Pick<BudgetCondition, 'status' | 'reason' | 'message'>,
  observedGeneration: number,
  now: number,
): BudgetCondition[] {
  const conditions = budget.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = before?.status === words.status ? before.lastTransitionTime : formatTime(now);
  const condition: BudgetCondition = {
    type: 'DisruptionAllowed',
    status: words.status,
    ...(observedGeneration ? { observedGeneration } : {}),
    lastTransitionTime,
    reason: words.reason,
    message: words.message,
  };
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition];
}

/** Whether two statuses are equal. */
export function isSameStatus(a: BudgetStatus | undefined, b: BudgetStatus): boolean {
  const parts = (status: BudgetStatus = {}) =>
    JSON.stringify([
      status.observedGeneration,
      status.disruptionsAllowed,
      status.currentHealthy,
      status.desiredHealthy,
      status.expectedPods,
      Object.entries(status.disruptedPods ?? {}).sort(),
      (status.conditions ?? []).map(({ type, status: state, reason, message, observedGeneration }) => [
        type,
        state,
        reason,
        message,
        observedGeneration,
      ]),
    ]);
  return parts(a) === parts(b);
}

/** A selector in the format of Go. */
export function printedSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const list =
    expressions.length > 0 ? `[]LabelSelectorRequirement{${expressions.join('')}}` : '[]LabelSelectorRequirement{}';
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:${list},}`;
}
