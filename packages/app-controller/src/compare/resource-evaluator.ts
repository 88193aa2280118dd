import type { Application } from '@fairlead/api';
import {
  type Json,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  unstructured,
} from '@fairlead/apimachinery';
import {
  assessHealth,
  compacted,
  createCustomHealth,
  customSchema,
  Differ,
  type Difference,
  type DiffPolicy,
  diffPolicy,
  fieldManager,
  groupOf,
  type Health,
  type IgnoreRule,
  idKey,
  ignoredOf,
  type Jq,
  type Kinds,
  knownAnnotations,
  type LiveState,
  managedFieldsOf,
  type Path,
  pathsAt,
  type ResourceId,
  resourceIdOf,
  versionOf,
  without,
} from '@fairlead/engine';
import type { ApiClient } from '@fairlead/kube';
import type { Installation } from '../settings/installation.ts';

export interface EvaluatorOptions {
  readonly client: ApiClient;
  readonly kinds: () => Kinds;
  readonly live: () => Pick<LiveState, 'read'>;
  readonly installation: Installation;
  readonly jq: Jq;
}

/** Differences and health of an Application's objects, ready to be asked for. */
export interface Evaluation {
  /** Throws for the one object that cannot be compared. */
  readonly differ: (target: KubeObject, live: KubeObject) => Difference;
  readonly assess: (live: KubeObject) => Health | undefined;
}

export type Pair = readonly [target: KubeObject, live: KubeObject];

/**
 * Evaluates the objects of one cluster under the settings of the installation: how they differ from the target state, and their
 * health. Results for an object are kept as long as nothing about it changes.
 */
export class ResourceEvaluator {
  readonly #options: EvaluatorOptions;
  readonly #differ: Differ;
  readonly #custom: ReturnType<typeof createCustomHealth>;
  readonly #health = new WeakMap<KubeObject, { readonly health: Health | undefined }>();

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    const { client, kinds, installation, jq } = options;
    this.#custom = createCustomHealth(installation.healthScripts);
    this.#differ = new Differ({
      settings: installation.diff,
      jq,
      manager: fieldManager,
      cluster: {
        dryRunApply: async (target) => {
          const type = kinds().find(target.apiVersion, target.kind);
          if (!type) throw new Error(`the cluster has no kind ${target.kind} in ${target.apiVersion}`);
          const { namespace, name } = target.metadata;
          const key = type.namespaced ? { namespace: namespace ?? '', name } : { name };
          return client.patch(type, key, 'apply', target, { dryRun: true, force: true, fieldManager });
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

  /** Whether users have configured the health of objects of a kind: those are kept whole. */
  hasScriptFor(object: KubeObject): boolean {
    return this.#custom.hasScriptFor(groupOf(object.apiVersion), object.kind);
  }

  assess = (live: KubeObject): Health | undefined => {
    const known = this.#health.get(live);
    if (known) return known.health;
    const health = assessHealth(live, { customHealth: this.#custom.assess });
    this.#health.set(live, { health });
    return health;
  };

  /** Finds out what is not known yet of these pairs. Where nothing has changed, that is nothing. */
  async prepare(application: Application, pairs: readonly Pair[]): Promise<Evaluation> {
    const policy = policyOf(application);
    const missing = pairs.filter(([target, live]) => this.#differ.cached(target, live, policy) === undefined);
    const found = new Map<KubeObject, Difference | Error>();
    if (missing.length > 0) {
      await Promise.all(
        missing.map(async ([target, live]) => found.set(target, await this.#differ.diff(target, live, policy))),
      );
    }
    const differ = (target: KubeObject, live: KubeObject): Difference => {
      const result = found.get(target) ?? this.#differ.cached(target, live, policy);
      if (!result) throw new Error('the object was not compared');
      if (result instanceof Error) throw result;
      return result;
    };
    return { differ, assess: this.assess };
  }

  /** What of these objects may differ and is to be left as it is, as JSON pointers by the objects' ids. */
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

  /** Whether a change of an object is a reason to reconcile its Application. */
  isRelevantChange = (old: KubeObject, object: KubeObject): boolean | Promise<boolean> => {
    const { ignoreUpdates } = this.#options.installation;
    if (ignoreUpdates.length === 0) return true;
    if (this.assess(old)?.status !== this.assess(object)?.status) return true;
    const { pointers, expressions } = ignoredOf(ignoreUpdates, object);
    if (pointers.length === 0 && expressions.length === 0) return true;
    const [before, after] = [contentOf(old), contentOf(object)];
    if (expressions.length === 0)
      return isOther(before, byPointer(before, pointers), after, byPointer(after, pointers));
    return this.#isRelevantByJq(before, after, ignoreUpdates, object);
  };

  async #isRelevantByJq(
    before: JsonObject,
    after: JsonObject,
    rules: readonly IgnoreRule[],
    object: KubeObject,
  ): Promise<boolean> {
    const { pointers, expressions } = ignoredOf(rules, object);
    const paths = async (value: JsonObject): Promise<Path[]> => {
      // An expression that cannot be used hides nothing.
      const found = await Promise.all(expressions.map((one) => this.#options.jq.paths(one, value).catch(() => [])));
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
    const group = groupOf(object.apiVersion);
    const type = this.#options.kinds().findAny(group, object.kind);
    if (!type) return undefined;
    const id = {
      group: 'apiextensions.k8s.io',
      kind: 'CustomResourceDefinition',
      namespace: '',
      name: `${type.plural}.${group}`,
    };
    const definition = await this.#options.live().read(id);
    return definition && customSchema(definition, versionOf(object.apiVersion));
  }
}

const policies = new WeakMap<Application['spec'], { readonly compareOptions: string; readonly policy: DiffPolicy }>();

export function policyOf({ spec, metadata }: Application): DiffPolicy {
  const compareOptions = metadata.annotations?.[knownAnnotations.compareOptions.name] ?? '';
  const known = policies.get(spec);
  if (known?.compareOptions === compareOptions) return known.policy;
  const policy = diffPolicy({
    ignore: spec.ignoreDifferences ?? [],
    syncOptions: spec.syncPolicy?.syncOptions ?? [],
    compareOptions,
  });
  policies.set(spec, { compareOptions, policy });
  return policy;
}

/** An object without what the server counts for itself. */
function contentOf(object: KubeObject): JsonObject {
  const { resourceVersion: _r, generation: _g, managedFields: _m, ...metadata } = object.metadata;
  return unstructured({ ...object, metadata });
}

const byPointer = (value: Json, pointers: readonly string[]): Path[] =>
  pointers.flatMap((pointer) => pathsAt(value, pointer));

const isOther = (before: JsonObject, gone: readonly Path[], after: JsonObject, alsoGone: readonly Path[]): boolean =>
  JSON.stringify(without(before, gone)) !== JSON.stringify(without(after, alsoGone));
