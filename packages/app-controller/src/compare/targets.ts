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
import { type DestinationCluster, whyResourceRefused } from '../project/project.ts';
import type { NewCondition } from '../status/conditions.ts';
import { annotationProblems } from './annotation-problems.ts';

/** An object that an Application wants in its cluster, ready to be compared and applied. */
export interface Target {
  readonly id: ResourceId;
  readonly object: KubeObject;
  /** Where it may be live too, as long as nobody knows whether its kind has namespaces. */
  readonly otherLocation?: ResourceId;
  /** Of a hook: why the project does not permit it. A sync does not leave out one of its steps, and stops. */
  readonly refused?: string;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** Objects that run at some point of a sync or a deletion and are not part of the state. One with generateName has no name yet. */
  readonly hooks: readonly Target[];
  /** Objects that are in the source but are not ours to touch here: neither applied, nor pruned when they are live. */
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
  /** Kinds that the settings keep us from touching. */
  readonly isExcluded: (group: string, kind: string) => boolean;
  readonly mark: Mark;
}

/** How objects are marked as an Application's. `key` is equal for equivalent marks. */
export interface Mark {
  readonly key: string;
  readonly set: (object: KubeObject, app: string) => KubeObject;
}

/** From what the source says to what this cluster should have: each object in its namespace, marked as ours, once, and permitted. */
export function targetsOf(manifests: readonly Manifest[], context: TargetContext): Targets {
  const scopes = scopesFrom(manifests);
  const targets = new Map<string, Target>();
  const hooks = new Map<string, Target>();
  const withheld = new Set<string>();
  const times = new Map<string, number>();
  const conditions: NewCondition[] = [];
  for (const [i, manifest] of manifests.entries()) {
    const target = targetFrom(manifest.object, context, scopes);
    const { id, object } = target;
    if (isSkipped(object)) {
      withheld.add(idKey(id));
      continue;
    }
    const at = `${manifest.origin.path}:${manifest.origin.line}`;
    const name = object.metadata.name ?? '';
    const key = name === '' ? `${idKey(id)}${object.metadata.generateName ?? ''} ${i}` : idKey(id);
    const withhold = (type: NewCondition['type'], message: string): void => {
      conditions.push({ type, message });
      withheld.add(key);
    };
    const namespaced = isNamespaced(manifest.object, context.kinds, scopes);
    const runs = isHook(object) && hookKinds(object).length > 0;
    const refused = whyResourceRefused(context.project, context.cluster, id);
    if (name === '' && !(isHook(object) && object.metadata.generateName)) {
      withhold(
        'ComparisonError',
        `${at}: the ${id.kind} has no metadata.name: give it one (only hooks may have generateName alone)`,
      );
    } else if (isHook(object) && !runs) {
      // Meant to be a hook, and nobody knows when to run it, or one of Helm's that has no place here: applied like any other object, it
      // might run at the wrong time. An annotation that cannot be parsed is reported below.
      withheld.add(key);
    } else if (context.isExcluded(id.group, id.kind)) {
      withhold(
        'ExcludedResourceWarning',
        `Resource ${id.group}/${id.kind} ${id.name} is excluded in the settings: remove it from the source, or change resource.exclusions in argocd-cm`,
      );
    } else if (id.namespace === '' && namespaced) {
      withhold(
        'InvalidSpecError',
        `Namespace for ${id.name} ${object.apiVersion}, Kind=${id.kind} is missing: set its metadata.namespace, or spec.destination.namespace`,
      );
    } else if (refused) {
      const message = `${describeId(id)} is not permitted in project ${context.project.metadata.name}: ${refused}`;
      withhold('ExcludedResourceWarning', message);
      if (runs) hooks.set(key, { ...target, refused: message });
    } else {
      times.set(key, (times.get(key) ?? 0) + 1);
      (runs ? hooks : targets).set(key, target);
    }
    for (const problem of annotationProblems(manifest.object)) {
      conditions.push({ type: 'InvalidAnnotationWarning', message: `${describeId(id)}: ${problem}` });
    }
  }
  for (const [key, count] of times) {
    if (count === 1) continue;
    conditions.push({
      type: 'RepeatedResourceWarning',
      message: `Resource ${key} appeared ${count} times among application resources. The last one counts: remove the others.`,
    });
  }
  return { targets: [...targets.values()], hooks: [...hooks.values()], withheld, conditions };
}

/** Scopes of kinds that the source itself brings: their objects may come with them. */
function scopesFrom(manifests: readonly Manifest[]): ReadonlyMap<string, boolean> {
  const scopes = new Map<string, boolean>();
  for (const { object } of manifests) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const kind = `${textAt(object, 'spec', 'group')}/${textAt(object, 'spec', 'names', 'kind')}`;
    scopes.set(kind, textAt(object, 'spec', 'scope') === 'Namespaced');
  }
  return scopes;
}

/** Undefined when neither the cluster nor the source knows the kind. */
function isNamespaced(object: KubeObject, kinds: Kinds, scopes: ReadonlyMap<string, boolean>): boolean | undefined {
  const group = groupOf(object.apiVersion);
  return (
    (kinds.find(object.apiVersion, object.kind) ?? kinds.findAny(group, object.kind))?.namespaced ??
    scopes.get(`${group}/${object.kind}`)
  );
}

/** An object of a kind that nobody knows is taken to have a namespace, and looked for outside of one too: else it might be pruned. */
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
 * Manifests are shared between refreshes, and so are the objects made from them: an unchanged manifest gives the identical object, by
 * which a comparison knows that nothing is to be done.
 */
const variants = new WeakMap<KubeObject, Map<string, KubeObject>>();

function variant(object: KubeObject, name: string, make: (object: KubeObject) => KubeObject): KubeObject {
  const known = variants.get(object) ?? new Map<string, KubeObject>();
  variants.set(object, known);
  const found = known.get(name) ?? make(object);
  known.set(name, found);
  return found;
}
