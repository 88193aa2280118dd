import type { AppProject } from '@fairlead/api';
import { type KubeObject, textAt } from '@fairlead/apimachinery';
import {
  describeId,
  groupOf,
  hookKinds,
  idKey,
  isHook,
  isSkipped,
  type Kinds,
  type ResourceId,
  resourceIdOf,
} from '@fairlead/engine';
import type { Manifest } from '@fairlead/render';
import { type DestinationCluster, type Refusal, resourceRefusal } from '../project/project.ts';
import type { NewCondition } from '../status/conditions.ts';
import { eachYielding } from '../yielding.ts';
import { annotationProblems } from './annotation-problems.ts';

/** A target object of an Application, ready to be compared and applied. */
export interface Target {
  readonly id: ResourceId;
  readonly object: KubeObject;
  /** The other possible location of the live object, while the scope of its kind is unknown. */
  readonly otherLocation?: ResourceId;
  /** Why the project does not permit it: it counts as missing, and a sync fails. */
  readonly refusal?: Refusal;
  /** Skipped by its annotation: only listed, neither applied nor pruned. */
  readonly skipped?: true;
  /** Its kind is namespaced, and no namespace is given. */
  readonly noNamespace?: true;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** Hooks of a sync or a deletion, which are not part of the target state. One with generateName has no name yet. */
  readonly hooks: readonly Target[];
  /** Objects in the source that this cluster may not have: neither applied, nor pruned if they are live. */
  readonly withheld: ReadonlySet<string>;
  readonly conditions: readonly NewCondition[];
}

export interface TargetContext {
  /** The Application's name in tracking ids. */
  readonly app: string;
  readonly namespace: string;
  readonly kinds: Kinds;
  readonly project: AppProject;
  readonly cluster: DestinationCluster;
  /** Kinds that the settings exclude. */
  readonly isExcluded: (group: string, kind: string) => boolean;
  readonly mark: Mark;
}

/** How objects are tracked. `key` is equal for equivalent trackers. */
export interface Mark {
  readonly key: string;
  readonly set: (object: KubeObject, app: string) => KubeObject;
}

/** From manifests to target state: each object with its namespace and tracking id, once. */
export function targetsOf(manifests: readonly Manifest[], context: TargetContext): Targets {
  const collected = new TargetCollector(context, scopesFrom(manifests));
  for (const [i, { object }] of manifests.entries()) collected.add(object, i);
  return collected.targets();
}

/** The same for any number of manifests, without blocking the process. */
export async function targetsOfMany(manifests: readonly Manifest[], context: TargetContext): Promise<Targets> {
  const collected = new TargetCollector(context, scopesFrom(manifests));
  await eachYielding(manifests, (some, start) => {
    for (const [i, { object }] of some.entries()) collected.add(object, start + i);
  });
  return collected.targets();
}

class TargetCollector {
  readonly #context: TargetContext;
  readonly #scopes: ReadonlyMap<string, boolean>;
  readonly #targets = new Map<string, Target>();
  readonly #hooks = new Map<string, Target>();
  readonly #withheld = new Set<string>();
  readonly #times = new Map<string, number>();
  readonly #conditions: NewCondition[] = [];

  constructor(context: TargetContext, scopes: ReadonlyMap<string, boolean>) {
    this.#context = context;
    this.#scopes = scopes;
  }

  add(manifest: KubeObject, index: number): void {
    const target = targetFrom(manifest, this.#context, this.#scopes);
    const { id, object } = target;
    if (isSkipped(object)) {
      this.#targets.set(idKey(id), { ...target, skipped: true });
      return;
    }
    const { generateName } = object.metadata;
    const key = id.name === '' && generateName ? `${idKey(id)}${generateName}${index}` : idKey(id);
    const runs = isHook(object) && hookKinds(object).length > 0;
    if (isHook(object) && !runs) {
      // Meant as a hook but of an unknown type, or a hook of Helm without an equivalent: applied as an ordinary object, it might run at the
      // wrong time. An annotation that cannot be parsed is reported below.
      this.#withheld.add(key);
    } else if (this.#context.isExcluded(id.group, id.kind)) {
      const message = `Resource ${id.group}/${id.kind} ${id.name} is excluded in the settings`;
      this.#conditions.push({ type: 'ExcludedResourceWarning', message });
      this.#withheld.add(key);
    } else {
      this.#times.set(key, (this.#times.get(key) ?? 0) + 1);
      (runs ? this.#hooks : this.#targets).set(key, { ...target, ...this.#obstacle(target, manifest) });
    }
    for (const problem of annotationProblems(manifest))
      this.#conditions.push({ type: 'InvalidAnnotationWarning', message: `${describeId(id)}: ${problem}` });
  }

  /** Why an object cannot be applied, reported as a condition. */
  #obstacle({ id, object }: Target, manifest: KubeObject): Pick<Target, 'noNamespace' | 'refusal'> {
    const { project, cluster, kinds } = this.#context;
    if (id.namespace === '' && isNamespaced(manifest, kinds, this.#scopes) === true) {
      const message = `Namespace for ${id.name} ${describeType(object)} is missing.`;
      this.#conditions.push({ type: 'InvalidSpecError', message });
      return { noNamespace: true };
    }
    const refusal = resourceRefusal(project, cluster, id);
    if (!refusal) return {};
    const message = `${describeId(id)}: ${refusal.message}: ${refusal.advice}`;
    this.#conditions.push({ type: 'NotPermittedWarning', message });
    return { refusal };
  }

  targets(): Targets {
    const repeated = [...this.#times].flatMap(([key, count]): NewCondition[] => {
      const message = `Resource ${key} appeared ${count} times among application resources.`;
      return count === 1 ? [] : [{ type: 'RepeatedResourceWarning', message }];
    });
    return {
      targets: [...this.#targets.values()],
      hooks: [...this.#hooks.values()],
      withheld: this.#withheld,
      conditions: [...this.#conditions, ...repeated],
    };
  }
}

/** A GroupVersionKind in the format of Go. */
const describeType = ({ apiVersion, kind }: KubeObject): string =>
  `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;

/** Scopes of kinds that the source itself defines: their objects may be in the same source. */
function scopesFrom(manifests: readonly Manifest[]): ReadonlyMap<string, boolean> {
  const scopes = new Map<string, boolean>();
  for (const { object } of manifests) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const kind = `${textAt(object, 'spec', 'group')}/${textAt(object, 'spec', 'names', 'kind')}`;
    scopes.set(kind, textAt(object, 'spec', 'scope') === 'Namespaced');
  }
  return scopes;
}

/** Undefined if neither the cluster nor the source defines the kind. */
function isNamespaced(object: KubeObject, kinds: Kinds, scopes: ReadonlyMap<string, boolean>): boolean | undefined {
  const group = groupOf(object.apiVersion);
  return (
    (kinds.find(object.apiVersion, object.kind) ?? kinds.findAny(group, object.kind))?.namespaced ??
    scopes.get(`${group}/${object.kind}`)
  );
}

/** An object of an unknown kind is assumed to be namespaced, and searched for without a namespace too: otherwise it might be pruned. */
function targetFrom(manifest: KubeObject, context: TargetContext, scopes: ReadonlyMap<string, boolean>): Target {
  const namespaced = isNamespaced(manifest, context.kinds, scopes);
  const { key, set } = context.mark;
  const own = manifest.metadata.namespace ?? '';
  const there = namespaced === false ? '' : own || context.namespace;
  const placed = there === own ? manifest : variant(manifest, `in ${there}`, (object) => inNamespace(object, there));
  const object = variant(placed, `${context.app} by ${key}`, (plain) => set(plain, context.app));
  const id = resourceIdOf(object);
  return {
    id,
    object,
    ...(namespaced === undefined && there !== '' ? { otherLocation: { ...id, namespace: '' } } : {}),
  };
}

function inNamespace({ metadata: { namespace: _, ...metadata }, ...rest }: KubeObject, namespace: string): KubeObject {
  return { ...rest, metadata: namespace === '' ? metadata : { ...metadata, namespace } };
}

/**
 * Manifests are shared between refreshes, and so are the objects made from them: an unchanged manifest gives the identical object, so that
 * a comparison can detect that nothing changed.
 */
const variants = new WeakMap<KubeObject, Map<string, KubeObject>>();

function variant(object: KubeObject, name: string, make: (object: KubeObject) => KubeObject): KubeObject {
  const known = variants.get(object) ?? new Map<string, KubeObject>();
  variants.set(object, known);
  const found = known.get(name) ?? make(object);
  known.set(name, found);
  return found;
}
