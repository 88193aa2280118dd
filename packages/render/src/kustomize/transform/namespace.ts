import { messageOf } from '../../util/errors.ts';
import type { FieldSpec } from '../config/field-spec.ts';
import { KustomizeError } from '../kustomize-error.ts';
import { demandKind, field, setScalar, WrongKindError } from '../node/fields.ts';
import { lookupCreate } from '../node/lookup.ts';
import { isEmpty, isPresent, Node } from '../node/node.ts';
import { helmGenerated } from '../resource/annotations.ts';
import { idText, type ResId } from '../resource/res-id.ts';
import { idKey, type ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';
import { applyFieldSpec, applyFieldSpecs } from './field-spec-filter.ts';

export interface NamespaceOptions {
  readonly namespace: string;
  readonly fieldSpecs: readonly FieldSpec[];
  /** Keeps existing namespaces. */
  readonly unsetOnly?: boolean;
  /** Which subjects of role bindings get the namespace. */
  readonly setRoleBindingSubjects?: string;
}

const subjectModes = ['defaultOnly', 'none', 'allServiceAccounts'];

export function setNamespace(map: ResMap, options: NamespaceOptions): void {
  const mode = options.setRoleBindingSubjects || 'defaultOnly';
  if (!subjectModes.includes(mode))
    throw new KustomizeError(
      `invalid value "${mode}" for setRoleBindingSubjects: must be one of "defaultOnly", "none" or "allServiceAccounts"`,
    );
  if (options.namespace === '') return;
  const counts = new Map<string, number>();
  const count = (id: ResId, change: number): number => {
    const total = (counts.get(idKey(id)) ?? 0) + change;
    counts.set(idKey(id), total);
    return total;
  };
  for (const { id } of map.resources) count(id, 1);
  for (const resource of map.resources) {
    if (resource.isGone || resource.annotation(helmGenerated) === 'true') continue;
    count(resource.id, -1);
    resource.storePreviousId();
    namespaceResource(resource, { ...options, setRoleBindingSubjects: mode });
    if (count(resource.id, 1) > 1)
      throw new KustomizeError(`namespace transformation produces ID conflict: ${idText(resource.id)}`);
  }
}

export function namespaceResource(resource: Resource, options: NamespaceOptions): void {
  const { namespace, unsetOnly } = options;
  const set = (node: Node): void => {
    if (unsetOnly && !isEmpty(node) && node.value !== '') return;
    setScalar(node, new Node('scalar', '!!str', namespace));
  };
  const { kind, apiVersion } = resource;
  if (!resource.id.clusterScoped)
    applyFieldSpec(resource, { path: 'metadata/namespace', create: true }, { set, createKind: 'scalar' });
  const isBinding = kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
  if (isBinding) setSubjects(resource, options.setRoleBindingSubjects ?? 'defaultOnly', set);
  // The name of a Namespace is set only for the core kind. Fields that were set above are skipped.
  const specs = options.fieldSpecs.filter(
    ({ path, kind: of }) =>
      path !== 'metadata/namespace' &&
      !(path === 'metadata/name' && apiVersion !== 'v1') &&
      !(isBinding && path === 'subjects/namespace' && (of === 'RoleBinding' || of === 'ClusterRoleBinding')),
  );
  try {
    applyFieldSpecs(resource, specs, { set, createKind: 'scalar', createTag: '!!str' });
  } catch (error) {
    const wrongKind = error instanceof WrongKindError && error.actual !== 'scalar';
    const why = wrongKind ? 'namespace field specs must target scalar nodes' : 'namespace transformation failed';
    throw new KustomizeError(`${why}: ${messageOf(error)}`);
  }
}

function setSubjects(resource: Resource, mode: string, set: (node: Node) => void): void {
  const subjects = field(resource.node, 'subjects');
  if (mode === 'none' || !isPresent(subjects)) return;
  const [key, value] =
    mode === 'allServiceAccounts' ? (['kind', 'ServiceAccount'] as const) : (['name', 'default'] as const);
  demandKind(subjects, 'sequence');
  for (const subject of subjects.items) {
    if (!isPresent(subject)) continue;
    demandKind(subject, 'map');
    const found = field(subject, key);
    if (!isPresent(found) || found.value !== value) continue;
    const namespace = lookupCreate(subject, ['namespace'], 'scalar');
    if (namespace) set(namespace);
  }
}
