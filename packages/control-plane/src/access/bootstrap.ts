import type { KubeObject } from '@fairlead/apimachinery';
import { rbacStorage } from './authorizer.ts';
import {
  aggregatedRoles,
  aggregationLabels,
  clusterRoleBindingTable,
  clusterRoleTable,
  roleBindingTable,
  roleTable,
} from './bootstrap-roles.ts';
import { controllerRoleTable } from './controller-roles.ts';
import type { BindingObject, PolicyRule, RoleObject, Subject } from './policy-rules.ts';
import type { AggregatingRole } from './role-aggregation.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

/** An object to create at the first start, and its storage. */
export interface BootstrapObject {
  readonly resource: string;
  readonly object: KubeObject;
}

/**
 * The roles and bindings that every cluster starts with, named as on a real server. Created if absent, never overwritten. `admin`, `edit`
 * and `view` have no rules here: the aggregation controller sets them.
 */
export function bootstrapPolicy(): BootstrapObject[] {
  const clusterRoles = [
    ...parseRoles(clusterRoleTable).map(([name, rules]) => clusterRole(name, rules)),
    ...parseRoles(controllerRoleTable).map(([name, rules]) => clusterRole(`system:controller:${name}`, rules)),
  ];
  const put = (resource: string) => (object: KubeObject) => ({ resource, object });
  return [
    ...clusterRoles.map(put(rbacStorage.clusterRoles)),
    ...clusterRoleBindings().map(put(rbacStorage.clusterRoleBindings)),
    ...parseRoles(roleTable).map(([name, rules]) => put(rbacStorage.roles)(role(name, rules))),
    ...Object.entries(roleBindingTable).map(([name, [target, ...subjects]]) =>
      put(rbacStorage.roleBindings)(binding('RoleBinding', name, 'Role', target, subjects)),
    ),
  ];
}

function parseRoles(table: string): [name: string, rules: PolicyRule[]][] {
  const roles: [string, PolicyRule[]][] = [];
  for (const line of table
    .trim()
    .replace(/\n {4}/g, ' ')
    .split('\n')) {
    if (line.startsWith(' ')) roles.at(-1)![1].push(parseRule(line.trim()));
    else roles.push([line, []]);
  }
  return roles;
}

function parseRule(line: string): PolicyRule {
  const words = (text: string) => text.split(' ');
  const [verbs, urls] = line.split(' at ');
  if (urls !== undefined) return { verbs: words(verbs!), nonResourceURLs: words(urls) };
  const [, verbList, groups, resources, names] = /^(.+) on (.+?): (.+?)(?: named (.+))?$/.exec(line)!;
  return {
    verbs: words(verbList!),
    apiGroups: words(groups!).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources!),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  };
}

function metadata(name: string, labels: Record<string, string> = {}): KubeObject['metadata'] {
  const [namespace, own] = name.includes('/') ? (name.split('/') as [string, string]) : [undefined, name];
  return {
    name: own,
    ...(namespace ? { namespace } : {}),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
  };
}

const aggregateTo = (role: string): Record<string, string> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true',
});

function clusterRole(name: string, rules: PolicyRule[]): AggregatingRole {
  const partOf = aggregationLabels[name];
  const isAggregated = aggregatedRoles.some((role) => role === name);
  return {
    apiVersion,
    kind: 'ClusterRole',
    metadata: metadata(name, partOf ? aggregateTo(partOf) : {}),
    ...(isAggregated ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregateTo(name) }] } } : {}),
    rules: isAggregated ? null : rules,
  };
}

const role = (name: string, rules: PolicyRule[]): RoleObject => ({
  apiVersion,
  kind: 'Role',
  metadata: metadata(name),
  rules,
});

function clusterRoleBindings(): BindingObject[] {
  const own = Object.entries(clusterRoleBindingTable);
  const controllers = parseRoles(controllerRoleTable).map(([name]): [string, string[]] => [
    `system:controller:${name}`,
    [`ServiceAccount kube-system/${name}`],
  ]);
  return [...own, ...controllers].map(([name, subjects]) =>
    binding('ClusterRoleBinding', name, 'ClusterRole', name, subjects),
  );
}

const binding = (
  kind: string,
  name: string,
  roleKind: string,
  roleName: string,
  subjects: readonly string[],
): BindingObject => ({
  apiVersion,
  kind,
  metadata: metadata(name),
  roleRef: { apiGroup, kind: roleKind, name: roleName },
  ...(subjects.length > 0 ? { subjects: subjects.map(parseSubject) } : {}),
});

function parseSubject(text: string): Subject {
  const [kind, name] = text.split(' ') as [string, string];
  if (kind !== 'ServiceAccount') return { kind, apiGroup, name };
  const [namespace, account] = name.split('/') as [string, string];
  return { kind, name: account, namespace };
}
