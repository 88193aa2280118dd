import type { AppProject } from '@fairlead/api';
import { CliError } from '../cli-error.ts';

type Spec = AppProject['spec'];
type Role = NonNullable<Spec['roles']>[number];

/** Adds an item; an error if it is there. */
export function added<T>(items: readonly T[] | undefined, item: T, what: string): T[] {
  if ((items ?? []).some((one) => isSame(one, item)))
    throw new CliError(`${what} is there already: nothing was changed`);
  return [...(items ?? []), item];
}

/** Removes an item; an error if it is not there. */
export function removed<T>(items: readonly T[] | undefined, item: T, what: string): T[] {
  const left = (items ?? []).filter((one) => !isSame(one, item));
  if (left.length === (items ?? []).length) throw new CliError(`${what} is not there: nothing was changed`);
  return left;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value;

export type KindList =
  | 'clusterResourceWhitelist'
  | 'clusterResourceBlacklist'
  | 'namespaceResourceWhitelist'
  | 'namespaceResourceBlacklist';

/** Allows or denies a kind: adds it to one list, or removes it from the other. */
export function changeKind(
  spec: Spec,
  { scope, allow, list }: { readonly scope: 'cluster' | 'namespace'; readonly allow: boolean; readonly list: string },
  group: string,
  kind: string,
): Spec {
  const name: KindList = `${scope}Resource${list === 'allow' ? 'Whitelist' : 'Blacklist'}`;
  const what = `${kind}${group === '' ? '' : ` of ${group}`}`;
  const change = (list === 'allow') === allow ? added : removed;
  return { ...spec, [name]: change<{ group: string; kind: string }>(spec[name], { group, kind }, what) };
}

/** Changes one role. */
export function changeRole(spec: Spec, name: string, change: (role: Role) => Role): Spec {
  const roles = spec.roles ?? [];
  roleNamed(spec, name);
  return { ...spec, roles: roles.map((role) => (role.name === name ? change(role) : role)) };
}

export function roleNamed({ roles = [] }: Spec, name: string): Role {
  const role = roles.find((one) => one.name === name);
  if (role) return role;
  const known = roles.map((one) => one.name).join(', ');
  throw new CliError(`the project has no role ${name}${known === '' ? '' : `: it has ${known}`}`);
}

export interface PolicyFlags {
  readonly action?: string;
  readonly object?: string;
  readonly permission?: string;
  readonly resource?: string;
}

/** A line of a role's policies, as argocd writes it. */
export function policyLine(project: string, role: string, flags: PolicyFlags): string {
  const { action, object, permission = 'allow', resource = 'applications' } = flags;
  if (action === undefined || object === undefined)
    throw new CliError('missing --action or --object: use --action sync --object NAME');
  return `p, proj:${project}:${role}, ${resource}, ${action}, ${project}/${object}, ${permission}`;
}
