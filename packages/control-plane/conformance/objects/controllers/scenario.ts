import {
  ApiError,
  apiVersionOf,
  type JsonObject,
  type KubeObject,
  parseLabelSelector,
  type ResourceType,
} from '@fairlead/apimachinery';
import { type Informer, type PatchType, type Propagation, sleep, systemClock } from '@fairlead/kube';
import { failed, type Outcome, passed } from '../outcome.ts';
import { difference } from '../placeholders.ts';
import { type Cluster, within } from './cluster.ts';
import { compareAll, type Expected } from './compare-objects.ts';
import { type KubeletStates, type KubeletStep, ScriptedKubelet } from './kubelet.ts';
import { NamespaceView } from './namespace-view.ts';
import { holds } from './path-conditions.ts';

export type { KubeletStates };

type Observed = string | { readonly kind: string; readonly all?: boolean; readonly name?: string };

interface Step {
  readonly create?: KubeObject;
  readonly patch?: Target & { type: PatchType; subresource?: string; body: unknown };
  readonly delete?: Target & { count?: number; propagationPolicy?: Propagation; gracePeriodSeconds?: number };
  readonly evict?: { selector?: string };
  readonly link?: { kind: string; child: string; owner: string; blockOwnerDeletion?: boolean };
  readonly sleep?: number;
  readonly kubelet?: KubeletStep | 'auto' | 'off';
  readonly wait?: Target & { where?: JsonObject; count?: number; gone?: boolean; timeout?: number };
  readonly observe?: readonly Observed[];
  readonly expect?: readonly Expected[];
  readonly fails?: JsonObject & { causes?: JsonObject[] };
}

interface Target {
  readonly kind: string;
  readonly name?: string;
  readonly selector?: string;
}

export interface Scenario {
  readonly name: string;
  readonly observe: readonly Observed[];
  readonly steps: readonly Step[];
  readonly expected: readonly Expected[];
}

const quietMs = 1_600;
/** The kinds that every scenario can change, whether it compares them or not. */
const alwaysWatched = ['Namespace', 'Pod', 'ReplicaSet', 'ControllerRevision', 'Job', 'PersistentVolumeClaim'];

/** One scenario in a separate namespace. */
export class ScenarioRun {
  readonly #cluster: Cluster;
  readonly #states: KubeletStates;
  readonly #scenario: Scenario;
  readonly #made: { type: ResourceType; name: string }[] = [];
  #namespace = '';
  #view!: NamespaceView;
  #kubelet!: ScriptedKubelet;

  constructor(cluster: Cluster, states: KubeletStates, scenario: Scenario) {
    this.#cluster = cluster;
    this.#states = states;
    this.#scenario = scenario;
  }

  async outcome(): Promise<Outcome> {
    this.#namespace = await this.#cluster.freshNamespace(this.#scenario.name);
    this.#view = new NamespaceView(this.#namespace);
    for (const kind of new Set([...alwaysWatched, ...kindsOf(this.#scenario)]))
      this.#view.follow(await this.#informer(kind));
    this.#kubelet = new ScriptedKubelet(this.#cluster, this.#states, this.#view);
    try {
      return await this.#play();
    } finally {
      this.#kubelet.stop();
      this.#view.stop();
      await this.#cleanUp();
    }
  }

  async #play(): Promise<Outcome> {
    const filled = this.#filled(this.#scenario);
    for (const [index, step] of filled.steps.entries()) {
      const problem = await this.#take(step).catch((error: Error) => error.message);
      if (problem) return failed(`step ${index} ${JSON.stringify(step).slice(0, 300)}\n${problem}`);
    }
    const problem = await this.#compare(filled.observe, filled.expected);
    return problem ? failed(problem) : passed;
  }

  #filled(scenario: Scenario): Scenario {
    return JSON.parse(JSON.stringify(scenario).replaceAll('<ns>', this.#namespace)) as Scenario;
  }

  /** The failure, if any. */
  async #take(step: Step): Promise<string | undefined> {
    if (step.observe) return this.#compare(step.observe, step.expect ?? []);
    if (!step.fails) return this.#do(step);
    try {
      await this.#do(step);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, reason, message, details } = error.status;
      const actual = { code, reason, message, ...(details?.causes ? { causes: details.causes } : {}) };
      const found = difference(step.fails, actual as unknown as JsonObject);
      return found && `refused otherwise: ${JSON.stringify(actual)}`;
    }
    return 'should have failed';
  }

  async #do(step: Step): Promise<undefined> {
    const { client } = this.#cluster;
    if (step.create) await this.#create(step.create);
    else if (step.patch) {
      const { type: patchType, subresource, body } = step.patch;
      const [object] = await this.#targets(step.patch, 1);
      const options = subresource ? { subresource } : {};
      await client.patch(await this.#typeOf(step.patch.kind), object!.metadata, patchType, body, options);
    } else if (step.delete) {
      const { propagationPolicy, gracePeriodSeconds, count = 1 } = step.delete;
      for (const object of await this.#targets(step.delete, count)) {
        await client.delete(await this.#typeOf(step.delete.kind), object.metadata, {
          ...(propagationPolicy ? { propagationPolicy } : {}),
          ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        });
      }
    } else if (step.evict) await this.#evict(step.evict.selector ?? '');
    else if (step.link) await this.#link(step.link);
    else if (step.sleep !== undefined) await sleep(systemClock, step.sleep * 1000);
    else if (step.wait) await this.#wait(step.wait);
    else if (step.kubelet) await this.#kubelet.take(step.kubelet);
    else throw new Error('unknown step');
    // The response to a write may arrive before its event.
    this.#view.stir();
    return undefined;
  }

  async #create(object: KubeObject): Promise<void> {
    const type = await this.#cluster.typeOf(object.kind, object.apiVersion);
    const metadata = type.namespaced ? { ...object.metadata, namespace: this.#namespace } : object.metadata;
    const made = await this.#cluster.client.create(type, { ...object, metadata });
    if (!type.namespaced) this.#made.push({ type, name: made.metadata.name });
  }

  /** By name, or the oldest that match. */
  async #targets({ kind, name, selector }: Target, count: number): Promise<KubeObject[]> {
    if (name !== undefined) {
      const { namespaced } = await this.#typeOf(kind);
      return [{ apiVersion: '', kind, metadata: namespaced ? { name, namespace: this.#namespace } : { name } }];
    }
    const informer = await this.#informer(kind);
    const found = await within(20_000, () => {
      const matching = this.#view.oldestFirst(informer).filter(matches(selector));
      return matching.length >= count ? matching.slice(0, count) : undefined;
    });
    if (!found) throw new Error(`there are not ${count} of ${kind} ${selector}`);
    return found;
  }

  async #evict(selector: string): Promise<void> {
    const type = await this.#typeOf('Pod');
    const { items } = await this.#cluster.client.list(type, { namespace: this.#namespace, labelSelector: selector });
    const { name } = items[0]!.metadata;
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: this.#namespace } };
    await this.#cluster.client.create(type, eviction, { subresource: 'eviction' });
  }

  async #link(link: NonNullable<Step['link']>): Promise<void> {
    const type = await this.#typeOf(link.kind);
    const { namespaced } = type;
    const key = (name: string) => (namespaced ? { name, namespace: this.#namespace } : { name });
    const owner = await this.#cluster.client.get(type, key(link.owner));
    const child = await this.#cluster.client.get(type, key(link.child));
    const reference = {
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      name: owner.metadata.name,
      uid: owner.metadata.uid!,
      ...(link.blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion: link.blockOwnerDeletion }),
    };
    const ownerReferences = [...(child.metadata.ownerReferences ?? []), reference];
    await this.#cluster.client.patch(type, key(link.child), 'merge', { metadata: { ownerReferences } });
  }

  async #wait(wait: NonNullable<Step['wait']>): Promise<void> {
    const { kind, name, selector, where = {}, count, gone, timeout = 30 } = wait;
    const informer = await this.#informer(kind);
    const all = () =>
      (informer.type.namespaced ? this.#view.oldestFirst(informer) : informer.list())
        .filter((object) => name === undefined || object.metadata.name === name)
        .filter(matches(selector))
        .filter((object) => Object.entries(where).every(([path, value]) => holds(object, path, value)));
    const met = await within(timeout * 1000, () => {
      const found = all().length;
      return (gone ? found === 0 : count === undefined ? found > 0 : found === count) ? true : undefined;
    });
    if (met) return;
    const there = (informer.type.namespaced ? this.#view.oldestFirst(informer) : informer.list()).filter(
      (object) => name === undefined || object.metadata.name === name,
    );
    const shown = there.map(({ metadata, ...rest }) => [metadata.name, (rest as { status?: unknown }).status]);
    throw new Error(`not within ${timeout} s; there are ${JSON.stringify(shown).slice(0, 1500)}`);
  }

  async #compare(observed: readonly Observed[], expected: readonly Expected[]): Promise<string | undefined> {
    if (!(await within(60_000, () => (this.#view.restedMs() >= quietMs ? true : undefined)))) return 'it never rested';
    const actual: KubeObject[] = [];
    for (const each of observed) actual.push(...(await this.#list(typeof each === 'string' ? { kind: each } : each)));
    return compareAll(expected, actual, this.#view.hashes());
  }

  async #list(observed: { kind: string; all?: boolean; name?: string }): Promise<KubeObject[]> {
    const type = await this.#typeOf(observed.kind);
    const { items } = await this.#cluster.client.list(type, type.namespaced ? { namespace: this.#namespace } : {});
    if (observed.name !== undefined) return items.filter(({ metadata }) => metadata.name === observed.name);
    if (observed.all) return [...items];
    if (type.namespaced) return items.filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt');
    const own = new Set(this.#made.filter((made) => made.type.kind === type.kind).map(({ name }) => name));
    if (type.kind === 'Namespace') own.add(this.#namespace);
    return items.filter(({ metadata }) => own.has(metadata.name));
  }

  async #cleanUp(): Promise<void> {
    const { client } = this.#cluster;
    const ignored = () => {};
    const pods = await this.#typeOf('Pod');
    await client.delete(await this.#typeOf('Namespace'), { name: this.#namespace }).catch(ignored);
    for (const { type, name } of this.#made) {
      await client.delete(type, { name }).catch(ignored);
      await client.patch(type, { name }, 'merge', { metadata: { finalizers: null } }).catch(ignored);
    }
    const informer = await this.#cluster.informer(pods);
    for (const pod of this.#view.oldestFirst(informer)) {
      await client.delete(pods, pod.metadata, { gracePeriodSeconds: 0 }).catch(ignored);
    }
  }

  #typeOf(kind: string): Promise<ResourceType> {
    return this.#cluster.typeOf(kind);
  }

  async #informer(kind: string): Promise<Informer> {
    return this.#cluster.informer(await this.#typeOf(kind));
  }
}

function kindsOf({ observe, steps }: Scenario): string[] {
  const observed = [...observe, ...steps.flatMap((step) => step.observe ?? [])];
  return [
    ...observed.map((each) => (typeof each === 'string' ? each : each.kind)),
    ...steps.flatMap((step) => [step.create?.kind, step.patch?.kind, step.delete?.kind, step.wait?.kind]),
  ].filter((kind) => kind !== undefined);
}

function matches(selector: string | undefined): (object: KubeObject) => boolean {
  const parsed = parseLabelSelector(selector ?? '');
  return ({ metadata }) => parsed.matches(metadata.labels);
}
