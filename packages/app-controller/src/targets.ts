import type { AppProject } from '@fairlead/api';
import {
  describeId,
  groupOf,
  hookKinds,
  idKey,
  type Kinds,
  type ResourceId,
  resourceIdOf,
  textAt,
  withTracking,
} from '@fairlead/engine';
import type { KubeObject } from '@fairlead/kube';
import type { Manifest } from '@fairlead/render';
import type { Condition } from './conditions.ts';
import { type DestinationCluster, isResourcePermitted } from './project.ts';

/** An object that an Application wants in its cluster, ready to be compared and applied. */
export interface Target {
  readonly id: ResourceId;
  readonly object: KubeObject;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** Objects that are in the source but are not ours to touch here: neither applied, nor pruned when they are live. */
  readonly withheld: ReadonlySet<string>;
  readonly conditions: readonly Condition[];
}

export interface TargetContext {
  /** The Application's name in tracking ids. */
  readonly app: string;
  readonly namespace: string;
  readonly kinds: Kinds;
  readonly project: AppProject;
  readonly cluster: DestinationCluster;
}

/** From what the source says to what this cluster should have: each object in its namespace, marked as ours, once, and permitted. */
export function targetsOf(manifests: readonly Manifest[], context: TargetContext): Targets {
  const scopes = scopesFrom(manifests);
  const targets = new Map<string, Target>();
  const withheld = new Set<string>();
  const repeated = new Map<string, number>();
  const conditions: Condition[] = [];
  let hooks = 0;
  for (const manifest of manifests) {
    if (hookKinds(manifest.object).length > 0) {
      hooks += 1;
      continue;
    }
    const object = placed(manifest.object, context, scopes);
    const id = resourceIdOf(object);
    if (!object.metadata.name) {
      conditions.push({
        type: 'ComparisonError',
        message: `${manifest.origin.path}:${manifest.origin.line}: the ${id.kind} has no metadata.name: only hooks may have generateName alone`,
      });
    } else if (id.namespace === '' && isNamespaced(manifest.object, context.kinds, scopes)) {
      conditions.push({
        type: 'InvalidSpecError',
        message: `Namespace for ${describeId(id)} is missing: set spec.destination.namespace`,
      });
    } else if (!isResourcePermitted(context.project, context.cluster, id)) {
      withheld.add(idKey(id));
      conditions.push({
        type: 'ExcludedResourceWarning',
        message: `${describeId(id)} is not permitted in project ${context.project.metadata.name}`,
      });
    } else {
      const key = idKey(id);
      if (targets.has(key)) repeated.set(key, (repeated.get(key) ?? 1) + 1);
      targets.set(key, {
        id,
        object: variant(object, `of ${context.app}`, (plain) => withTracking(plain, context.app)),
      });
    }
  }
  for (const [key, times] of repeated) {
    conditions.push({
      type: 'RepeatedResourceWarning',
      message: `Resource ${key} appeared ${times} times among application resources.`,
    });
  }
  if (hooks > 0)
    conditions.push({
      type: 'NotSupportedWarning',
      message: `${hooks} hooks are in the source, and hooks are not run yet`,
    });
  return { targets: [...targets.values()], withheld, conditions };
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

function placed(
  object: KubeObject,
  { kinds, namespace }: TargetContext,
  scopes: ReadonlyMap<string, boolean>,
): KubeObject {
  const namespaced = isNamespaced(object, kinds, scopes);
  const own = object.metadata.namespace;
  if (namespaced === false) return own === undefined ? object : variant(object, 'without namespace', withoutNamespace);
  if (own || namespace === '' || namespaced === undefined) return object;
  return variant(object, `in ${namespace}`, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, namespace },
  }));
}

function withoutNamespace({ metadata: { namespace: _, ...metadata }, ...rest }: KubeObject): KubeObject {
  return { ...rest, metadata };
}

/**
 * Manifests are shared between refreshes, and so are the objects made from them: an unchanged manifest gives the very same object, by
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
