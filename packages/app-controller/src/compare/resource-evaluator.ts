import type { Application, AppProject } from '@fairlead/api';
import {
  type Json,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  schemaOf,
  unstructured,
} from '@fairlead/apimachinery';
import {
  type Actor,
  assessHealth,
  type ComparedStates,
  compacted,
  createCustomHealth,
  customSchema,
  Differ,
  type Difference,
  type DiffPolicy,
  defines,
  diffPolicy,
  fieldManager,
  groupOf,
  type Health,
  type HealthOf,
  type Ignored,
  type IgnoredStates,
  idKey,
  ignoredOf,
  isPendingDeletion,
  type Jq,
  type Kinds,
  knownAnnotations,
  type LiveState,
  type Lua,
  managedFieldsOf,
  type Path,
  pathsAt,
  type ResourceId,
  resourceIdOf,
  unknownFields,
  versionOf,
  without,
} from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import { actorOf } from '../project/impersonation.ts';
import type { DestinationCluster } from '../project/project.ts';
import type { Installation } from '../settings/installation.ts';
import { eachYielding } from '../yielding.ts';

export interface EvaluatorOptions {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly clientAs: (user: string) => Pick<ApiClient, 'patch'>;
  readonly kinds: () => Kinds;
  readonly live: () => Pick<LiveState, 'read'>;
  readonly installation: Installation;
  readonly jq: Jq;
  readonly lua: Lua;
}

/** Differences and health of the objects of an Application, computed on demand. */
export interface Evaluation {
  /** Throws if the object cannot be compared. */
  readonly differ: (target: KubeObject, live: KubeObject) => Difference;
  readonly assess: HealthOf;
  /** Why nothing can be compared. */
  readonly problem?: EvaluationProblem;
}

export interface EvaluationProblem {
  /** The same message as Argo CD. */
  readonly message: string;
  readonly advice: string;
}

const notCompared = (): never => {
  throw new Error('the object was not compared');
};

export type Pair = readonly [target: KubeObject, live: KubeObject];

/**
 * Evaluates the objects of one cluster under the settings of the installation: how they differ from the target state, and their health.
 * Results are cached until the object changes.
 */
export class ResourceEvaluator {
  readonly #options: EvaluatorOptions;
  readonly #differ: Differ;
  readonly #custom: ReturnType<typeof createCustomHealth>;
  readonly #health = new WeakMap<KubeObject, { readonly health: Health | undefined }>();

  readonly #unknownFields = new WeakMap<
    KubeObject,
    { readonly definition: KubeObject | undefined; readonly fields: readonly string[] }
  >();

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    const { client, clientAs, kinds, installation, jq, lua } = options;
    this.#custom = createCustomHealth(installation.healthScripts, lua);
    this.#differ = new Differ({
      settings: installation.diff,
      jq,
      manager: fieldManager,
      cluster: {
        dryRunApply: async (target, { actor = {} }) => {
          if (actor.problem !== undefined) throw new Error(actor.problem);
          const type = kinds().find(target.apiVersion, target.kind);
          if (!type) throw new Error(`the cluster has no kind ${target.kind} in ${target.apiVersion}`);
          const { namespace, name } = target.metadata;
          const key = type.namespaced ? { namespace: namespace ?? '', name } : { name };
          const sender = actor.user === undefined ? client : clientAs(actor.user);
          return sender.patch(type, key, 'apply', target, { dryRun: true, force: true, fieldManager });
        },
        managedFields: (live) => this.#managedFields(live),
        inVersion: async (live, apiVersion) => {
          const type = kinds().find(apiVersion, live.kind);
          if (!type || type.group !== groupOf(live.apiVersion)) return undefined;
          const { namespace, name } = live.metadata;
          return compacted(await client.get(type, type.namespaced ? { namespace: namespace ?? '', name } : { name }));
        },
        schema: (object) => this.#schema(object),
      },
    });
  }

  /** Whether a custom health check exists for a kind: its objects are cached in full. */
  hasScriptFor(object: KubeObject): boolean {
    return this.#custom.hasScriptFor(groupOf(object.apiVersion), object.kind);
  }

  /** The health of these objects of a project. Those with scripts are assessed now, in a sandbox, and the others on demand. */
  async assess(objects: readonly KubeObject[], project: string): Promise<HealthOf> {
    const scripted = objects.filter((object) => this.#needsScript(object));
    if (scripted.length > 0) await Promise.all(scripted.map((object) => this.#runScript(object, project)));
    return (live) => this.#healthOf(live);
  }

  #needsScript(object: KubeObject): boolean {
    return !this.#health.has(object) && this.hasScriptFor(object) && !isPendingDeletion(object);
  }

  async #runScript(object: KubeObject, project: string): Promise<void> {
    const custom = await this.#custom.assess(object, project);
    this.#health.set(object, { health: assessHealth(object, { customHealth: () => custom }) });
  }

  #healthOf(object: KubeObject): Health | undefined {
    const known = this.#health.get(object);
    if (known) return known.health;
    if (this.#needsScript(object))
      throw new Error(`the health of ${object.kind} ${object.metadata.name} is not known yet`);
    const health = assessHealth(object);
    this.#health.set(object, { health });
    return health;
  }

  /** Computes missing results for these pairs, and for other live objects. Without changes nothing is computed. */
  async prepare(
    application: Application,
    pairs: readonly Pair[],
    live: readonly KubeObject[] = [],
    actor: Actor = {},
  ): Promise<Evaluation> {
    const policy = policyOf(application, actor);
    const assessed = this.assess([...pairs.map(([, object]) => object), ...live], policy.lane ?? '');
    const invalid = await this.#differ.problemOf(policy);
    if (invalid) {
      const problem = {
        message: `failed to create diff normalizer: ${invalid.upstream}`,
        advice: `ignoreDifferences: ${invalid.message}`,
      };
      return { differ: notCompared, assess: await assessed, problem };
    }
    const missing = pairs.filter(([target, live]) => this.#differ.cached(target, live, policy) === undefined);
    const found = new Map<KubeObject, Difference | Error>();
    await eachYielding(missing, (some) =>
      Promise.all(
        some.map(async ([target, object]) => found.set(target, await this.#differ.diff(target, object, policy))),
      ),
    );
    const differ = (target: KubeObject, live: KubeObject): Difference => {
      const result = found.get(target) ?? this.#differ.cached(target, live, policy);
      if (!result) return notCompared();
      if (result instanceof Error) throw result;
      return result;
    };
    return { differ, assess: await assessed };
  }

  /** Who dry-runs the server-side diffs of an Application. */
  actorFor(application: Application, project: AppProject, cluster: DestinationCluster): Actor {
    return actorOf(this.#options.installation.impersonation, project, cluster, application);
  }

  /** Both sides of a comparison as they are shown: without what the Application and the settings ignore. */
  states(
    application: Application,
    target: KubeObject | undefined,
    live: KubeObject | undefined,
    options: { readonly serverSide?: boolean; readonly actor?: Actor } = {},
  ): Promise<ComparedStates> {
    const policy = policyOf(application, options.actor);
    const compareOptions = options.serverSide ? `${policy.compareOptions},ServerSideDiff=true` : policy.compareOptions;
    return this.#differ.states(target, live, { ...policy, compareOptions });
  }

  /** Both sides of a comparison with what is ignored, and why. Undefined if nothing is ignored in this object. */
  withIgnored(application: Application, target: KubeObject, live: KubeObject): Promise<IgnoredStates | undefined> {
    return this.#differ.withIgnored(target, live, policyOf(application));
  }

  /** Who has set which field of a live object. */
  async managedFields(live: KubeObject): Promise<readonly ManagedFieldsEntry[]> {
    return managedFieldsOf(live) ?? (await this.#managedFields(live)) ?? [];
  }

  /** The ignored fields of these objects, as JSON pointers by the ids of the objects. */
  async ignoredFields(
    application: Application,
    pairs: readonly Pair[],
  ): Promise<(id: ResourceId) => readonly string[]> {
    const policy = policyOf(application);
    const found = await Promise.all(
      pairs.map(
        async ([target, live]): Promise<[string, string[]]> => [
          idKey(resourceIdOf(target)),
          await this.#differ.ignoredPointers(target, live, policy),
        ],
      ),
    );
    const byId = new Map(found);
    return (id) => byId.get(idKey(id)) ?? [];
  }

  /**
   * The fields of an object that its kind does not have. A CustomResourceDefinition of the same target state takes precedence over the
   * one in the cluster: a sync applies it first.
   */
  async unknownFields(target: KubeObject, definitions: readonly KubeObject[]): Promise<readonly string[]> {
    const definition = definitions.find((one) => defines(one, target)) ?? (await this.#definition(target));
    const known = this.#unknownFields.get(target);
    if (known && known.definition === definition) return known.fields;
    const fields = unknownFields(target, definition);
    this.#unknownFields.set(target, { definition, fields });
    return fields;
  }

  /** Whether a change of an object is a reason to reconcile its Application. */
  isRelevantChange = (old: KubeObject, object: KubeObject): boolean | Promise<boolean> => {
    const { ignoreUpdates } = this.#options.installation;
    if (ignoreUpdates.length === 0) return true;
    const ignored = ignoredOf(ignoreUpdates, object);
    if (ignored.pointers.length === 0 && ignored.expressions.length === 0) return true;
    return this.#needsScript(old) || this.#needsScript(object)
      ? this.assess([old, object], laneOf(object)).then(() => this.#isRelevant(old, object, ignored))
      : this.#isRelevant(old, object, ignored);
  };

  /** The health of both is known. */
  #isRelevant(old: KubeObject, object: KubeObject, ignored: Ignored): boolean | Promise<boolean> {
    if (this.#healthOf(old)?.status !== this.#healthOf(object)?.status) return true;
    const { pointers, expressions } = ignored;
    const [before, after] = [contentOf(old), contentOf(object)];
    if (expressions.length === 0)
      return isOther(before, byPointer(before, pointers), after, byPointer(after, pointers));
    return this.#isRelevantByJq(before, after, ignored, laneOf(object));
  }

  async #isRelevantByJq(
    before: JsonObject,
    after: JsonObject,
    { pointers, expressions }: Ignored,
    lane: string,
  ): Promise<boolean> {
    const { jq } = this.#options;
    const paths = async (value: JsonObject): Promise<Path[]> => {
      // An invalid expression ignores nothing.
      const found = await Promise.all(expressions.map((one) => jq.paths(one, value, lane).catch(() => [])));
      return [...byPointer(value, pointers), ...found.flat()];
    };
    return isOther(before, await paths(before), after, await paths(after));
  }

  async #managedFields(live: KubeObject): Promise<readonly ManagedFieldsEntry[] | undefined> {
    const type = this.#options.kinds().findAny(groupOf(live.apiVersion), live.kind);
    if (!type) return undefined;
    const { namespace, name } = live.metadata;
    const object = await this.#options.client.get(
      type,
      type.namespaced ? { namespace: namespace ?? '', name } : { name },
    );
    return managedFieldsOf(object);
  }

  async #schema(object: KubeObject) {
    const definition = await this.#definition(object);
    return definition && customSchema(definition, versionOf(object.apiVersion));
  }

  /** The CustomResourceDefinition of a custom kind. */
  async #definition(object: KubeObject): Promise<KubeObject | undefined> {
    const group = groupOf(object.apiVersion);
    const type = this.#options.kinds().findAny(group, object.kind);
    if (!type || schemaOf(group, versionOf(object.apiVersion), object.kind)) return undefined;
    const id = {
      group: 'apiextensions.k8s.io',
      kind: 'CustomResourceDefinition',
      namespace: '',
      name: `${type.plural}.${group}`,
    };
    return this.#options.live().read(id);
  }
}

interface KnownPolicy {
  readonly compareOptions: string;
  readonly actor: Actor;
  readonly policy: DiffPolicy;
}

const policies = new WeakMap<Application['spec'], KnownPolicy>();

/** `actor`: who dry-runs server-side diffs. */
export function policyOf({ spec, metadata }: Application, actor: Actor = {}): DiffPolicy {
  const compareOptions = metadata.annotations?.[knownAnnotations.compareOptions.name] ?? '';
  const known = policies.get(spec);
  if (known?.compareOptions === compareOptions && isSameActor(known.actor, actor)) return known.policy;
  const policy = diffPolicy({
    ignore: spec.ignoreDifferences ?? [],
    syncOptions: spec.syncPolicy?.syncOptions ?? [],
    compareOptions,
    lane: spec.project || 'default',
    ...(isSameActor(actor, {}) ? {} : { actor }),
  });
  policies.set(spec, { compareOptions, actor, policy });
  return policy;
}

const isSameActor = (a: Actor, b: Actor): boolean => a.user === b.user && a.problem === b.problem;

/** The lane of an object whose project is not known yet: tenants have separate namespaces. */
const laneOf = ({ metadata }: KubeObject): string => `namespace ${metadata.namespace ?? ''}`;

/** An object without fields that the server counts. */
function contentOf(object: KubeObject): JsonObject {
  const { resourceVersion: _r, generation: _g, managedFields: _m, ...metadata } = object.metadata;
  return unstructured({ ...object, metadata });
}

const byPointer = (value: Json, pointers: readonly string[]): Path[] =>
  pointers.flatMap((pointer) => pathsAt(value, pointer));

const isOther = (before: JsonObject, gone: readonly Path[], after: JsonObject, alsoGone: readonly Path[]): boolean =>
  JSON.stringify(without(before, gone)) !== JSON.stringify(without(after, alsoGone));
