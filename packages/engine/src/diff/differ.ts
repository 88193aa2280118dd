import { createHash } from 'node:crypto';
import {
  ApiError,
  at,
  type KubeObject,
  type ManagedFieldsEntry,
  messageOf,
  type ObjectSchema,
  schemaOf,
  unstructured,
} from '@fairlead/apimachinery';
import { knownAnnotations } from '../annotations.ts';
import { managedFieldsOf } from '../live/managed-fields.ts';
import { groupOf, versionOf } from '../resource-id.ts';
import { syncOptions } from '../sync/sync-options.ts';
import { defaultTracking, type TrackingSettings, trackingAnnotation } from '../tracking.ts';
import { type Difference, differenceBetween, type Prediction, predict } from './diff.ts';
import {
  type Ignored,
  type IgnoreRule,
  ignoredByObject,
  ignoredByRule,
  ignoredOf,
  nothingIgnored,
} from './ignore-rules.ts';
import { type Jq, JqInvalid, JqTooSlow } from './jq/jq.ts';
import type { KnownTypeField } from './known-types.ts';
import { withoutSecrets } from './mask-secrets.ts';
import { type StatusComparison, shownParts } from './normalize.ts';
import { ownedPaths } from './owned-fields.ts';
import { type Path, pathsAt, pointerOf, without } from './paths.ts';
import { type DryRunApply, serverSidePrediction } from './server-side.ts';
import { structuredMerge } from './structured-merge.ts';

/** The settings of the installation for diffs of all Applications. */
export interface DiffSettings {
  readonly ignore: readonly IgnoreRule[];
  readonly ignoreStatus: StatusComparison;
  /** By `group/Kind`. */
  readonly knownTypeFields: ReadonlyMap<string, readonly KnownTypeField[]>;
  readonly tracking: TrackingSettings;
  /** Whether diffs are computed by the server, unless an Application overrides it. */
  readonly serverSide: boolean;
}

export const defaultDiffSettings: DiffSettings = {
  ignore: [],
  ignoreStatus: 'all',
  knownTypeFields: new Map([['argoproj.io/Rollout', [{ field: 'spec.template.spec', type: 'core/v1/PodSpec' }]]]),
  tracking: defaultTracking,
  serverSide: false,
};

/** Who sends a request: the controller itself, or a user that it impersonates. */
export interface Actor {
  readonly user?: string;
  /** Why nobody may send it. */
  readonly problem?: string;
}

/** The comparison options of an Application. Created once per spec; part of the cache key of results. */
export interface DiffPolicy {
  readonly ignore: readonly IgnoreRule[];
  readonly syncOptions: readonly string[];
  /** The annotation `argocd.argoproj.io/compare-options` of the Application. */
  readonly compareOptions: string;
  /** The project, in whose lane jq runs. */
  readonly lane?: string;
  /** Who dry-runs server-side diffs. */
  readonly actor?: Actor;
  /** Equal for equal policies. */
  readonly key: string;
}

export const diffPolicy = (parts: Omit<DiffPolicy, 'key'>): DiffPolicy => ({ ...parts, key: JSON.stringify(parts) });

/** The reads of a differ from the cluster if the cached objects do not suffice. */
export interface DiffCluster {
  readonly dryRunApply: DryRunApply;
  /** The managed fields of exactly this version of a live object; undefined when that version is gone. */
  readonly managedFields: (live: KubeObject) => Promise<readonly ManagedFieldsEntry[] | undefined>;
  /** A live object in another version of its group; undefined when that version is not served. */
  readonly inVersion: (live: KubeObject, apiVersion: string) => Promise<KubeObject | undefined>;
  /** The schema of a custom kind. */
  readonly schema: (object: KubeObject) => Promise<ObjectSchema | undefined>;
}

export interface DifferOptions {
  readonly settings?: DiffSettings;
  readonly cluster: DiffCluster;
  readonly jq: Jq;
  readonly manager: string;
}

/** A live object before and after an apply, as they are shown. */
export interface ComparedStates {
  readonly modified: boolean;
  /** Absent if there is no live object. */
  readonly normalizedLive?: KubeObject;
  /** Absent if there is no target object. */
  readonly predictedLive?: KubeObject;
}

/** Both sides of a comparison as they are shown, and the fields that are ignored, with the rule that does so. */
export interface IgnoredStates {
  readonly live: KubeObject;
  readonly predicted: KubeObject;
  readonly ignored: readonly { readonly path: Path; readonly rule: string }[];
}

interface CachedResult {
  target: KubeObject;
  readonly policy: string;
  readonly result: Difference | Error;
  /** The number of attempts, if another attempt may have another result. */
  readonly tries?: number;
}

/** A comparison that timed out is repeated by later refreshes up to this many times: the machine may have been busy. */
const maxTries = 3;

/**
 * Computes how live objects differ from their targets, and caches the results by the content of the target, the version of the live object
 * and the policy. An object that cannot be compared has an error as its result, which is cached too.
 */
export class Differ {
  readonly #options: DifferOptions;
  readonly #settings: DiffSettings;
  /** Live objects are shared and never change: one object is one version. */
  readonly #cache = new WeakMap<KubeObject, CachedResult>();
  readonly #expressions = new Map<string, Promise<JqInvalid | undefined>>();

  constructor(options: DifferOptions) {
    this.#options = options;
    this.#settings = options.settings ?? defaultDiffSettings;
  }

  /** The cached result, if there is one. */
  cached(target: KubeObject, live: KubeObject, policy: DiffPolicy): Difference | Error | undefined {
    const kept = this.#cache.get(live);
    if (kept?.policy !== policy.key || (kept.tries ?? maxTries) < maxTries) return undefined;
    if (kept.target === target) return kept.result;
    if (hashOf(kept.target) !== hashOf(target)) return undefined;
    kept.target = target;
    return kept.result;
  }

  /** Why nothing can be compared with this policy: an expression that cannot be compiled. */
  async problemOf(policy: DiffPolicy): Promise<JqInvalid | undefined> {
    for (const { jqPathExpressions = [] } of [...policy.ignore, ...this.#settings.ignore]) {
      for (const expression of jqPathExpressions) {
        const problem = await this.#compiled(expression, policy.lane);
        if (problem) return problem;
      }
    }
    return undefined;
  }

  #compiled(expression: string, lane: string | undefined): Promise<JqInvalid | undefined> {
    const known = this.#expressions.get(expression);
    if (known) return known;
    const compiled = this.#options.jq.paths(expression, null, lane).then(
      () => undefined,
      // An expression that fails on this input may work on others.
      (error: unknown) => (error instanceof JqInvalid ? error : undefined),
    );
    this.#expressions.set(expression, compiled);
    return compiled;
  }

  async diff(target: KubeObject, live: KubeObject, policy: DiffPolicy): Promise<Difference | Error> {
    const cached = this.cached(target, live, policy);
    if (cached) return cached;
    let result: Difference | Error;
    let tries: number | undefined;
    try {
      result = await this.#compute(target, live, policy);
    } catch (error) {
      result = new Error(withoutSecrets(messageOf(error), target, live), { cause: error });
      // The next refresh may succeed where the server or the network failed.
      if (at(error, 'retriable') === true) return result;
      const before = this.#cache.get(live);
      const again = before?.policy === policy.key && before.target === target;
      if (error instanceof JqTooSlow) tries = (again ? (before.tries ?? 0) : 0) + 1;
    }
    this.#cache.set(live, { target, policy: policy.key, result, ...(tries === undefined ? {} : { tries }) });
    return result;
  }

  async #compute(target: KubeObject, seen: KubeObject, policy: DiffPolicy): Promise<Difference> {
    const { live, prediction, ignored } = await this.#prediction(target, seen, policy);
    // An expression that is not valid is reported even if nothing differs.
    if (prediction.predicted === prediction.live && ignored.expressions.length === 0)
      return { modified: false, predicted: live, fields: [] };
    return differenceBetween(
      prediction.live,
      prediction.predicted,
      await this.#sides(target, live, prediction, policy),
    );
  }

  async #prediction(target: KubeObject, seen: KubeObject, policy: DiffPolicy) {
    // Objects are watched in the version that the server prefers; other versions may name fields differently.
    const same = seen.apiVersion === target.apiVersion;
    const live = same ? seen : ((await this.#options.cluster.inVersion(seen, target.apiVersion)) ?? seen);
    const ignored = ignoredOf([...policy.ignore, ...this.#settings.ignore], target);
    return { live, ignored, prediction: await this.#predict(target, live, policy) };
  }

  /** What does not count on either side. */
  async #sides(
    target: KubeObject,
    live: KubeObject,
    prediction: Prediction,
    policy: DiffPolicy,
  ): Promise<{ readonly live: readonly Path[]; readonly predicted: readonly Path[] }> {
    const ignored = ignoredOf([...policy.ignore, ...this.#settings.ignore], target);
    const tracked = trackingPaths(target, live, this.#settings.tracking);
    const paths = async (object: KubeObject): Promise<Path[]> => [
      ...tracked,
      ...(await this.#ignoredPaths(object, live, ignored, policy)),
    ];
    if (prediction.predicted === prediction.live) {
      const both = await paths(prediction.live);
      return { live: both, predicted: both };
    }
    const [inLive, inPredicted] = await Promise.all([paths(prediction.live), paths(prediction.predicted)]);
    return { live: inLive, predicted: inPredicted };
  }

  /** Both sides of a comparison as they are shown: without what is ignored. One of them may be missing. */
  async states(
    target: KubeObject | undefined,
    live: KubeObject | undefined,
    policy: DiffPolicy,
  ): Promise<ComparedStates> {
    const shown = (object: KubeObject, paths: readonly Path[]): KubeObject =>
      unstructured(without(shownParts(unstructured(object), this.#settings.ignoreStatus), paths));
    if (target && live) {
      const found = await this.#prediction(target, live, policy);
      const { prediction } = found;
      const sides = await this.#sides(target, found.live, prediction, policy);
      const { modified } = differenceBetween(prediction.live, prediction.predicted, sides);
      const normalizedLive = shown(prediction.live, sides.live);
      return {
        modified,
        normalizedLive,
        predictedLive: modified ? shown(prediction.predicted, sides.predicted) : normalizedLive,
      };
    }
    const alone = target ?? live;
    if (!alone) return { modified: false };
    const ignored = ignoredOf([...policy.ignore, ...this.#settings.ignore], alone);
    const object = shown(alone, await this.#ignoredPaths(alone, alone, ignored, policy));
    return target ? { modified: true, predictedLive: object } : { modified: false, normalizedLive: object };
  }

  /** Both sides with what is ignored. Undefined if nothing is ignored in this object. */
  async withIgnored(target: KubeObject, seen: KubeObject, policy: DiffPolicy): Promise<IgnoredStates | undefined> {
    const rules = [
      ...ignoredByRule(policy.ignore, target, 'ignoreDifferences of the Application'),
      ...ignoredByRule(this.#settings.ignore, target, 'settings of the installation'),
      ...ignoredByObject(target),
    ];
    if (rules.length === 0) return undefined;
    const { live, prediction } = await this.#prediction(target, seen, policy);
    const shown = (object: KubeObject): KubeObject =>
      unstructured(shownParts(unstructured(object), this.#settings.ignoreStatus));
    const ignored: { path: Path; rule: string }[] = [];
    for (const { rule, ...what } of rules) {
      for (const side of [prediction.live, prediction.predicted]) {
        const paths = await this.#ignoredPaths(side, live, what, policy);
        ignored.push(...paths.map((path) => ({ path, rule })));
      }
    }
    return { live: shown(prediction.live), predicted: shown(prediction.predicted), ignored };
  }

  /** The ignored fields of either side as JSON pointers, for a sync that must not change them. */
  async ignoredPointers(target: KubeObject, live: KubeObject, policy: DiffPolicy): Promise<string[]> {
    const ignored = ignoredOf([...policy.ignore, ...this.#settings.ignore], target);
    if (ignored === nothingIgnored) return [];
    const sides = await Promise.all([live, target].map((object) => this.#ignoredPaths(object, live, ignored, policy)));
    // A pointer to a field that neither side has still means that a sync must not create it.
    return [...new Set([...ignored.pointers, ...sides.flat().map(pointerOf)])];
  }

  async #ignoredPaths(
    object: KubeObject,
    live: KubeObject,
    { pointers, expressions, managers }: Ignored,
    { lane }: DiffPolicy,
  ): Promise<Path[]> {
    const json = unstructured(object);
    const { jq } = this.#options;
    const byExpression = await Promise.all(expressions.map((expression) => jq.paths(expression, json, lane)));
    const entries = managers.length > 0 ? await this.#managedFields(live) : [];
    return [
      ...pointers.flatMap((pointer) => pathsAt(json, pointer)),
      ...byExpression.flat(),
      ...ownedPaths(json, entries, managers),
    ];
  }

  async #managedFields(live: KubeObject): Promise<readonly ManagedFieldsEntry[]> {
    return managedFieldsOf(live) ?? (await this.#options.cluster.managedFields(live)) ?? [];
  }

  async #predict(target: KubeObject, live: KubeObject, policy: DiffPolicy): Promise<Prediction> {
    const { manager } = this.#options;
    const compareOptions = optionsOf(policy.compareOptions, target);
    if (compareOptions.get('ServerSideDiff') ?? this.#settings.serverSide) {
      const includeMutations = compareOptions.get('IncludeMutationWebhook') ?? false;
      const [answer, schema] = await Promise.all([this.#dryRunApply(target, policy), this.#schema(live)]);
      return { live, predicted: serverSidePrediction(answer, live, { manager, schema, includeMutations }) };
    }
    if (syncOptions(policy.syncOptions, target).has('ServerSideApply')) {
      const [managedFields, schema] = await Promise.all([this.#managedFields(live), this.#schema(live)]);
      return structuredMerge(target, live, { manager, managedFields, schema });
    }
    return predict(target, live, {
      knownTypes: this.#settings.knownTypeFields.get(`${groupOf(target.apiVersion)}/${target.kind}`),
      ignoreStatus: this.#settings.ignoreStatus,
    });
  }

  /** Fails with the same message as Argo CD. */
  async #dryRunApply(target: KubeObject, policy: DiffPolicy): Promise<KubeObject> {
    try {
      return await this.#options.cluster.dryRunApply(target, policy);
    } catch (error) {
      const which = `resource ${target.kind}/${target.metadata.name}`;
      const what = `error calculating server side diff: serverSideDiff error: error running server side apply in dryrun mode for ${which}`;
      throw error instanceof ApiError
        ? new DryRunRefused({ ...error.status, message: `${what}: ${error.message}` })
        : error;
    }
  }

  async #schema(object: KubeObject): Promise<ObjectSchema | undefined> {
    const builtIn = schemaOf(groupOf(object.apiVersion), versionOf(object.apiVersion), object.kind);
    return builtIn?.type === 'object' ? builtIn : this.#options.cluster.schema(object);
  }
}

/** The server refused the dry run of a server-side diff. A sync reports the same of the object that it applies. */
export class DryRunRefused extends ApiError {}

/** Compare options such as `ServerSideDiff=true`: those of the Application, and those of the object, which take precedence. */
export function optionsOf(application: string, object?: KubeObject): ReadonlyMap<string, boolean> {
  const own = object?.metadata.annotations?.[knownAnnotations.compareOptions.name] ?? '';
  const options = new Map<string, boolean>();
  for (const text of `${application},${own}`.split(',')) {
    const [name = '', value = 'true'] = text.trim().split('=', 2);
    if (name !== '') options.set(name, value === 'true');
  }
  return options;
}

/**
 * An object that was tracked by label is not OutOfSync because the tracking method changed to annotation: the next sync adds the
 * annotation, and the label stays until someone removes it.
 */
function trackingPaths(target: KubeObject, live: KubeObject, { method, labelKey }: TrackingSettings): Path[] {
  if (method === 'label' || !live.metadata.labels?.[labelKey] || live.kind === 'CustomResourceDefinition') return [];
  return [
    ...(live.metadata.annotations?.[trackingAnnotation] ? [] : [['metadata', 'annotations', trackingAnnotation]]),
    ...(target.metadata.labels?.[labelKey] ? [] : [['metadata', 'labels', labelKey]]),
  ];
}

const hashes = new WeakMap<KubeObject, string>();

function hashOf(target: KubeObject): string {
  let hash = hashes.get(target);
  if (hash === undefined) {
    hash = createHash('sha256').update(JSON.stringify(target)).digest('base64');
    hashes.set(target, hash);
  }
  return hash;
}
