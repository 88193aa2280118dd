import { formatTime, keyOf, messageOf, parseLabelSelector, podType } from '@fairlead/apimachinery';
import { type ApiClient, Controller, done, type Informer, type Outcome, requeueAfter } from '@fairlead/kube';
import { groupOf } from '../../keys.ts';
import type { ControllerParts, MakeController, RecordEvent, Runnable, ServedKind } from '../../parts.ts';
import { autoscalerType } from '../../resource-types.ts';
import { forgiving } from '../forgiving.ts';
import type { Pod } from '../objects.ts';
import { indexPods, podsSelected } from '../pods-by-labels.ts';
import { type Autoscaler, type AutoscalerStatus, decideScale, type Scale, withCondition } from './decide-scale.ts';

const usualPeriodMs = 15_000;
/** The same warning event is not repeated within this time. */
const repeatAfterMs = 5 * 60_000;

/** Scales targets into the bounds of their autoscalers. */
class Autoscalers implements Runnable {
  readonly #parts: ControllerParts;
  readonly #client: ApiClient;
  readonly #record: RecordEvent;
  readonly #autoscalers: Informer<Autoscaler>;
  readonly #pods: Informer<Pod>;
  readonly #controller: Controller;
  /** The selector of each target, by autoscaler: two with the same pods would conflict. */
  readonly #selectors = new Map<string, string>();
  readonly #warned = new Map<string, Map<string, number>>();

  constructor(parts: ControllerParts) {
    this.#parts = parts;
    this.#client = parts.client('horizontal-pod-autoscaler');
    this.#record = parts.events('horizontal-pod-autoscaler');
    this.#autoscalers = parts.informers.informer<Autoscaler>(autoscalerType);
    this.#pods = indexPods(parts.informers.informer<Pod>(podType));
    this.#controller = new Controller({
      name: 'horizontal-pod-autoscaler',
      concurrency: 4,
      clock: parts.clock,
      log: parts.log,
      reconcile: (key) => this.#reconcile(key),
    });
    this.#autoscalers.addHandler({
      // As on a real cluster, the first evaluation is a period after the creation, and a change does not make it earlier.
      onAdd: (autoscaler) => this.#controller.enqueueAfter(keyOf(autoscaler), this.#periodMs),
      onDelete: (autoscaler) => {
        this.#selectors.delete(keyOf(autoscaler));
        this.#warned.delete(keyOf(autoscaler));
      },
    });
    this.#controller.watch(this.#autoscalers, () => []).watch(this.#pods, () => []);
  }

  get #periodMs(): number {
    return this.#parts.autoscalerPeriodMs ?? usualPeriodMs;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run(signal);
  }

  async #reconcile(key: string): Promise<Outcome> {
    // Read from the server: the cache may be older than the last write, and the next write must not undo it.
    const known = this.#autoscalers.get(key);
    const autoscaler = known && (await forgiving(this.#client.get<Autoscaler>(autoscalerType, known.metadata)));
    if (!autoscaler) return done;
    await this.#evaluate(key, autoscaler);
    return requeueAfter(this.#periodMs);
  }

  async #evaluate(key: string, autoscaler: Autoscaler): Promise<void> {
    const now = formatTime(this.#parts.clock.now());
    const before = autoscaler.status ?? {};
    const target = await this.#target(autoscaler);
    if ('problem' in target) {
      this.#warn(key, autoscaler, 'FailedGetScale', target.problem);
      const message = `the HPA controller was unable to get the target's current scale: ${target.problem}`;
      const words = { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message };
      return this.#write(autoscaler, { ...before, conditions: withCondition(before.conditions ?? [], words, now) });
    }
    const { kind, scale } = target;
    const current = scale.spec?.replicas ?? 0;
    const able = {
      type: 'AbleToScale',
      status: 'True',
      reason: 'SucceededGetScale',
      message: "the HPA controller was able to get the target's current scale",
    };
    const conditions = withCondition(before.conditions ?? [], able, now);
    const decision = decideScale(autoscaler, scale, this.#overlapping(key, autoscaler, scale));
    if (decision.kind === 'keep') {
      for (const { reason, message } of decision.events) this.#warn(key, autoscaler, reason, message);
      const desired = decision.words.reason === 'ScalingDisabled' ? current : (before.desiredReplicas ?? 0);
      return this.#write(autoscaler, {
        ...(before.lastScaleTime ? { lastScaleTime: before.lastScaleTime } : {}),
        // An empty value is not written, as on a real cluster.
        ...(current > 0 ? { currentReplicas: current } : {}),
        desiredReplicas: desired,
        currentMetrics: decision.metrics > 0 ? Array.from({ length: decision.metrics }, () => ({ type: '' })) : null,
        conditions: withCondition(conditions, decision.words, now),
      });
    }
    const { replicas, reason } = decision;
    await this.#client.replace(kind, { ...scale, spec: { replicas } }, { subresource: 'scale' });
    const words = {
      type: 'AbleToScale',
      status: 'True',
      reason: 'SucceededRescale',
      message: `the HPA controller was able to update the target scale to ${replicas}`,
    };
    this.#record(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
    await this.#write(autoscaler, {
      lastScaleTime: now,
      currentReplicas: current,
      desiredReplicas: replicas,
      currentMetrics: null,
      conditions: withCondition(conditions, words, now),
    });
  }

  async #target({ spec, metadata }: Autoscaler): Promise<{ problem: string } | { kind: ServedKind; scale: Scale }> {
    const { apiVersion = '', kind = '', name = '' } = spec.scaleTargetRef ?? {};
    if (apiVersion.split('/').length > 2) return { problem: `unexpected GroupVersion string: ${apiVersion}` };
    const group = groupOf(apiVersion);
    const served = this.#parts.kinds().filter((each) => each.group === group && each.kind === kind);
    if (served.length === 0) {
      return { problem: `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}` };
    }
    const scaled = served.find((each) => each.scale);
    if (!scaled) return { problem: 'the server could not find the requested resource' };
    try {
      const key = { namespace: metadata.namespace ?? '', name };
      return { kind: scaled, scale: await this.#client.get<Scale>(scaled, key, { subresource: 'scale' }) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }

  /** The autoscalers, including this one, whose targets select pods of the target of this one. */
  #overlapping(key: string, { metadata }: Autoscaler, scale: Scale): string[] {
    const namespace = metadata.namespace ?? '';
    const selector = scale.status?.selector ?? '';
    this.#selectors.set(key, selector);
    const others = [...this.#selectors].filter(([other, text]) => other.startsWith(`${namespace}/`) && text !== '');
    if (others.length < 2) return [];
    const { matches } = parseLabelSelector(selector);
    const pods = podsSelected(this.#pods, namespace, {}).filter((pod) => matches(pod.metadata.labels));
    return others
      .filter(([, text]) => {
        const theirs = parseLabelSelector(text);
        return pods.some((pod) => theirs.matches(pod.metadata.labels));
      })
      .map(([other]) => other.slice(namespace.length + 1))
      .sort();
  }

  async #write(autoscaler: Autoscaler, status: AutoscalerStatus): Promise<void> {
    const whole = { desiredReplicas: 0, currentMetrics: null, ...status };
    if (JSON.stringify(comparable(autoscaler.status)) === JSON.stringify(comparable(whole))) return;
    const { managedFields: _, ...metadata } = autoscaler.metadata;
    const next = { ...autoscaler, metadata, status: whole };
    await forgiving(this.#client.replace(autoscalerType, next, { subresource: 'status' }));
  }

  #warn(key: string, autoscaler: Autoscaler, reason: string, message: string): void {
    const now = this.#parts.clock.now();
    const said = this.#warned.get(key) ?? new Map<string, number>();
    this.#warned.set(key, said);
    const words = `${autoscaler.metadata.uid} ${reason} ${message}`;
    if (now - (said.get(words) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs) return;
    said.set(words, now);
    this.#record(autoscaler, 'Warning', reason, message);
  }
}

const comparable = (status: AutoscalerStatus | undefined): unknown => [
  status?.lastScaleTime,
  status?.currentReplicas ?? 0,
  status?.desiredReplicas ?? 0,
  status?.currentMetrics?.length ?? 0,
  (status?.conditions ?? []).map(({ type, status: state, reason, message }) => [type, state, reason, message]),
];

export const autoscalers: MakeController = (parts) => new Autoscalers(parts);
