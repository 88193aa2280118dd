import type { FieldSpec, NameBackReference } from '../config/field-spec.ts';
import { KustomizeError, within } from '../kustomize-error.ts';
import { field, setField, setScalar } from '../node/fields.ts';
import { isPresent, type Node, scalar } from '../node/node.ts';
import { nodeValue } from '../node/node-value.ts';
import { refBy } from '../resource/annotations.ts';
import {
  effectiveNamespace,
  type Gvk,
  idText,
  isSelected,
  notANamespace,
  type ResId,
  sameNamespace,
} from '../resource/res-id.ts';
import type { ResMap } from '../resource/res-map.ts';
import type { Resource } from '../resource/resource.ts';
import { applyFieldSpec } from './field-spec-filter.ts';

/** Values that one pass reads of an object repeatedly. Ids do not change during a pass. */
interface Candidate {
  readonly resource: Resource;
  readonly id: ResId;
  readonly previousIds: readonly ResId[];
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

/** Updates references to objects whose names have changed. */
export function fixNameReferences(map: ResMap, references: readonly NameBackReference[]): void {
  const candidates = map.resources.map(
    (resource): Candidate => ({
      resource,
      id: resource.id,
      previousIds: resource.previousIds,
      prefixes: resource.prefixes,
      suffixes: resource.suffixes,
    }),
  );
  const byPreviousName = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    for (const name of new Set(candidate.previousIds.map((id) => id.name)))
      byPreviousName.set(name, [...(byPreviousName.get(name) ?? []), candidate]);
  }
  for (const referrer of candidates) {
    const original = referrer.previousIds[0] ?? referrer.id;
    const reachable = reachableFrom(referrer);
    const scope: Scope = {
      named: (name) => (byPreviousName.get(name) ?? []).filter(reachable),
      hadAny: (namespace) => candidates.some((it) => originalNamespace(it) === namespace && reachable(it)),
    };
    for (const { fieldSpecs = [], ...target } of references) {
      for (const spec of fieldSpecs) {
        if (!isSelected(original, spec)) continue;
        new ReferenceFixer(referrer, spec, target, scope).run();
      }
    }
  }
}

/** The objects that an object may refer to. */
interface Scope {
  /** The objects that had this name at some time. */
  named(name: string): readonly Candidate[];
  /** Whether the namespace had objects at the start. */
  hadAny(namespace: string): boolean;
}

const originalNamespace = ({ previousIds, id }: Candidate): string => effectiveNamespace(previousIds[0] ?? id);

/** References cross namespaces only from and to cluster-scoped objects. */
function reachableFrom({ resource, id }: Candidate): (candidate: Candidate) => boolean {
  if (id.clusterScoped) return () => true;
  const namespaces = bindingNamespaces(resource);
  return (candidate) =>
    candidate.id.clusterScoped || sameNamespace(candidate.id, id) || namespaces.has(candidate.resource.namespace);
}

/** A role binding may refer to service accounts of other namespaces. */
function bindingNamespaces(resource: Resource): ReadonlySet<string> {
  const namespaces = new Set<string>();
  if (resource.kind !== 'RoleBinding') return namespaces;
  for (const subject of field(resource.node, 'subjects')?.items ?? []) {
    const namespace = field(subject, 'namespace');
    if (!namespace || field(subject, 'kind')?.value !== 'ServiceAccount') continue;
    const value = nodeValue(namespace);
    if (typeof value !== 'string')
      throw new KustomizeError(`Invalid Input: namespace is blank for resource "${idText(resource.id)}"`);
    namespaces.add(value);
  }
  return namespaces;
}

class ReferenceFixer {
  private readonly referrer: Candidate;
  private readonly spec: FieldSpec;
  private readonly target: Partial<Gvk>;
  private readonly scope: Scope;

  constructor(referrer: Candidate, spec: FieldSpec, target: Partial<Gvk>, scope: Scope) {
    this.referrer = referrer;
    this.spec = spec;
    this.target = target;
    this.scope = scope;
  }

  run(): void {
    const { resource } = this.referrer;
    within(
      () => `updating name reference in '${this.spec.path}' field of '${idText(resource.id)}'`,
      () => applyFieldSpec(resource, { path: this.spec.path }, { set: (node) => this.set(node) }),
    );
  }

  private set(node: Node): void {
    if (!isPresent(node)) return;
    if (node.kind === 'scalar') return this.setName(node);
    if (node.kind === 'map') return this.setNameAndNamespace(node);
    for (const item of node.items) {
      if (!isPresent(item)) continue;
      if (item.kind === 'scalar') this.setName(item);
      else if (item.kind === 'map') this.setNameAndNamespace(item);
      else throw new KustomizeError('a list is expected to be either of text or of maps');
    }
  }

  private setName(node: Node): void {
    const referral = this.select(this.scope.named(node.value), (a, b) => a.resource.name === b.resource.name);
    if (!referral) return;
    this.note(referral);
    const { name } = referral.resource;
    if (name !== node.value) setScalar(node, scalar(name));
  }

  private setNameAndNamespace(node: Node): void {
    const nameNode = field(node, 'name');
    if (!nameNode) throw new KustomizeError("path config error; no 'name' field in node");
    const old = nameNode.value;
    const inNamespace = this.inNamespace(field(node, 'namespace')?.value, this.scope.named(old));
    const same = (a: Candidate, b: Candidate): boolean =>
      a.resource.name === b.resource.name && a.resource.namespace === b.resource.namespace;
    const referral = this.select(inNamespace, same);
    if (!referral) return;
    this.note(referral);
    const { name, namespace } = referral.resource;
    if (name === old && namespace === '') return;
    setField(node, 'name', scalar(name));
    // An empty namespace does not replace another.
    if (namespace !== '') setField(node, 'namespace', scalar(namespace));
  }

  /** The objects that were in the namespace, or those that are in it now if there were none. */
  private inNamespace(namespace: string | undefined, candidates: readonly Candidate[]): readonly Candidate[] {
    if (namespace === undefined) return candidates;
    if (namespace === notANamespace) return [];
    return this.scope.hadAny(namespace)
      ? candidates.filter((it) => originalNamespace(it) === namespace)
      : candidates.filter(({ id }) => effectiveNamespace(id) === namespace);
  }

  private note({ resource }: Candidate): void {
    const known = resource.annotation(refBy);
    const id = idText(this.referrer.resource.id);
    resource.annotate(refBy, known === undefined ? id : `${known},${id}`);
  }

  private select(named: readonly Candidate[], same: (a: Candidate, b: Candidate) => boolean): Candidate | undefined {
    let candidates = named.filter(({ previousIds }) => previousIds.some((id) => isSelected(id, this.target)));
    const role = this.roleRef();
    if (role) candidates = candidates.filter(({ previousIds }) => previousIds.some((id) => isSelected(id, role)));
    candidates = candidates.filter((candidate) => this.isNear(candidate));
    if (candidates.length === 1) return candidates[0];
    candidates = candidates.filter((candidate) => sameAffixes(candidate, this.referrer, true));
    if (candidates.length > 1) candidates = candidates.filter((it) => sameAffixes(it, this.referrer, false));
    const [first] = candidates;
    if (!first || candidates.every((candidate) => same(candidate, first))) return first;
    const ids = candidates.map(({ resource }) => idText(resource.id)).join(', ');
    throw new KustomizeError(`found multiple possible referrals: ${ids}`);
  }

  private isNear({ id, resource }: Candidate): boolean {
    const from = this.referrer.id;
    return from.clusterScoped || id.clusterScoped || resource.kind === 'ServiceAccount' || sameNamespace(from, id);
  }

  private roleRef(): Partial<Gvk> | undefined {
    if (!this.spec.path.endsWith('roleRef/name')) return undefined;
    const roleRef = field(this.referrer.resource.node, 'roleRef');
    const [group, kind] = [field(roleRef, 'apiGroup')?.value, field(roleRef, 'kind')?.value];
    return group === undefined || kind === undefined ? undefined : { group, kind };
  }
}

/** Whether the affixes of one end with those of the other. In the first round, an object without affixes matches all. */
function sameAffixes(a: Candidate, b: Candidate, allowNone: boolean): boolean {
  const fits = (x: readonly string[], y: readonly string[]): boolean =>
    (allowNone && (x.length === 0 || y.length === 0)) || sameEnding(x, y);
  return fits(a.prefixes, b.prefixes) && fits(a.suffixes, b.suffixes);
}

function sameEnding(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length > b.length ? [b, a] : [a, b];
  if (short.length === 0) return long.length === 0;
  const rest = long.slice(long.length - short.length);
  return short.every((item, i) => item === rest[i]);
}
