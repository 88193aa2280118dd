import { apiVersionOf, type KubeObject, type OwnerReference, type ResourceType } from '@fairlead/apimachinery';

/** The cached part of an object: its identity, its owners, and its deletion state. */
export interface Member {
  readonly uid: string;
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly deleting: boolean;
  /** It waits for the deletion of its dependents. */
  readonly foreground: boolean;
  /** It waits for its dependents to be orphaned. */
  readonly orphaning: boolean;
}

/** The members to check or to process after a change. */
export interface Consequences {
  readonly check: readonly string[];
  readonly orphan: readonly string[];
  /** Members with an owner in another namespace. */
  readonly misplaced: readonly { readonly member: Member; readonly owner: OwnerReference }[];
}

const none: readonly OwnerReference[] = [];

export function memberOf(type: ResourceType, { metadata }: KubeObject): Member {
  const deleting = metadata.deletionTimestamp !== undefined;
  return {
    uid: metadata.uid ?? '',
    type,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    owners: metadata.ownerReferences?.length ? metadata.ownerReferences : none,
    deleting,
    foreground: deleting && (metadata.finalizers?.includes('foregroundDeletion') ?? false),
    orphaning: deleting && (metadata.finalizers?.includes('orphan') ?? false),
  };
}

const blocks = (member: Member, owner: string): boolean =>
  member.owners.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true);

const isNamed = (owner: OwnerReference, member: Member): boolean =>
  owner.name === member.name && owner.kind === member.type.kind && owner.apiVersion === apiVersionOf(member.type);

/** Every object with its owners and dependents, by uid. A change costs as much as the references that it affects. */
export class OwnerGraph {
  readonly #members = new Map<string, Member>();
  /** Also for owners that were never observed. */
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Member | undefined {
    return this.#members.get(uid);
  }

  *dependentsOf(uid: string): Iterable<Member> {
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const member = this.#members.get(dependent);
      if (member) yield member;
    }
  }

  *blockingDependentsOf(uid: string): Iterable<Member> {
    for (const member of this.dependentsOf(uid)) if (blocks(member, uid)) yield member;
  }

  set(member: Member): Consequences {
    const before = this.#members.get(member.uid);
    this.#members.set(member.uid, member);
    const check = new Set<string>();
    const misplaced: { member: Member; owner: OwnerReference }[] = [];
    for (const owner of before?.owners ?? none) {
      const still = member.owners.some(({ uid }) => uid === owner.uid);
      if (!still) this.#unlink(owner.uid, member.uid);
      const released = owner.blockOwnerDeletion === true && !blocks(member, owner.uid);
      if (released && this.#members.get(owner.uid)?.foreground) check.add(owner.uid);
    }
    for (const owner of member.owners) {
      if (before?.owners.some(({ uid }) => uid === owner.uid)) continue;
      this.#link(owner.uid, member.uid);
      const known = this.#members.get(owner.uid);
      const elsewhere = known !== undefined && known.namespace !== '' && known.namespace !== member.namespace;
      if (elsewhere) misplaced.push({ member, owner });
      // An unknown owner may not be observed yet, or may never have existed: the server is asked.
      if (!known || elsewhere || known.foreground || !isNamed(owner, known)) check.add(member.uid);
    }
    if (!before) misplaced.push(...this.#strangers(member));
    if (member.foreground && !before?.foreground) {
      check.add(member.uid);
      for (const dependent of this.dependentsOf(member.uid)) check.add(dependent.uid);
    }
    const orphan = member.orphaning && !before?.orphaning ? [member.uid] : [];
    return { check: [...check], orphan, misplaced };
  }

  remove(uid: string): Consequences {
    const member = this.#members.get(uid);
    if (!member) return { check: [], orphan: [], misplaced: [] };
    this.#members.delete(uid);
    const check = new Set<string>();
    for (const owner of member.owners) {
      this.#unlink(owner.uid, uid);
      if (this.#members.get(owner.uid)?.foreground) check.add(owner.uid);
    }
    for (const dependent of this.dependentsOf(uid)) check.add(dependent.uid);
    return { check: [...check], orphan: [], misplaced: [] };
  }

  /** Dependents that were observed before their owner, from another namespace. */
  *#strangers(owner: Member): Iterable<{ member: Member; owner: OwnerReference }> {
    if (owner.namespace === '') return;
    for (const member of this.dependentsOf(owner.uid)) {
      const reference = member.owners.find(({ uid }) => uid === owner.uid);
      if (reference && member.namespace !== owner.namespace) yield { member, owner: reference };
    }
  }

  #link(owner: string, dependent: string): void {
    const there = this.#dependents.get(owner);
    if (there) there.add(dependent);
    else this.#dependents.set(owner, new Set([dependent]));
  }

  #unlink(owner: string, dependent: string): void {
    const there = this.#dependents.get(owner);
    there?.delete(dependent);
    if (there?.size === 0) this.#dependents.delete(owner);
  }
}
