import { type ResourceType, selectorFromObject } from '@fairlead/apimachinery';
import { Controller, done } from '@fairlead/kube';
import type { ControllerParts, Runnable } from '../controllers/parts.ts';
import type { PolicyRule, RoleObject } from './policy-rules.ts';

/** A ClusterRole that aggregates the rules of other roles. */
export type AggregatingRole = RoleObject & {
  aggregationRule?: { clusterRoleSelectors?: object[] } | null;
};

const clusterRoles: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};

/** The rules of an aggregated ClusterRole: for each of its selectors those of all matching roles, by name, without duplicates. */
export function aggregateRules(role: AggregatingRole, all: Iterable<RoleObject>): PolicyRule[] {
  const others = [...all].filter((other) => other.metadata.name !== role.metadata.name);
  others.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules = new Map<string, PolicyRule>();
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const parsed = selectorFromObject(selector);
    for (const other of others) {
      if (!parsed.matches(other.metadata.labels)) continue;
      for (const rule of other.rules ?? []) rules.set(identityOf(rule), rule);
    }
  }
  return [...rules.values()];
}

const identityOf = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  JSON.stringify([verbs, apiGroups ?? [], resources ?? [], resourceNames ?? [], nonResourceURLs ?? []]);

/** Keeps aggregated ClusterRoles (such as `admin`, `edit`, `view`) up to date with the matching roles. */
export function clusterRoleAggregation({ client, informers, clock, log }: ControllerParts): Runnable {
  const informer = informers.informer<AggregatingRole>(clusterRoles);
  const api = client('clusterrole-aggregation-controller');
  const roles = () => informer.list();
  const controller = new Controller({
    name: 'clusterrole-aggregation',
    clock,
    log,
    async reconcile(name, { signal }) {
      const role = informer.get(name);
      if (!role?.aggregationRule) return done;
      const rules = aggregateRules(role, roles());
      if (JSON.stringify(rules.map(identityOf)) === JSON.stringify((role.rules ?? []).map(identityOf))) return done;
      const desired = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
      await api.patch(clusterRoles, { name }, 'apply', desired, {
        fieldManager: 'clusterrole-aggregation-controller',
        force: true,
        signal,
      });
      return done;
    },
  });
  // Roles are few, and any of them may be part of any other.
  return controller.watch(informer, () =>
    roles()
      .filter((role) => role.aggregationRule)
      .map((role) => role.metadata.name),
  );
}
