import type { Grouping } from './policy.ts';

/** A chain of `g` lines counts up to this many links. */
const maxLinks = 10;

/** The roles of users, groups and roles. All three share one namespace and are compared literally. */
export class RoleGraph {
  readonly #rolesOf = new Map<string, string[]>();

  constructor(groupings: readonly Grouping[]) {
    for (const { member, role } of groupings) {
      const roles = this.#rolesOf.get(member);
      if (roles) roles.push(role);
      else this.#rolesOf.set(member, [role]);
    }
  }

  /** Whether a `g` line begins with this name. Other groups are never asked. */
  isMember(name: string): boolean {
    return this.#rolesOf.has(name);
  }

  /** The name itself and all roles that it reaches. */
  reachable(name: string, links = maxLinks): ReadonlySet<string> {
    const found = new Set([name]);
    let latest = [name];
    for (let link = 0; link < links && latest.length > 0; link++) {
      const next: string[] = [];
      for (const role of latest.flatMap((member) => this.#rolesOf.get(member) ?? [])) {
        if (found.has(role)) continue;
        found.add(role);
        next.push(role);
      }
      latest = next;
    }
    return found;
  }
}
