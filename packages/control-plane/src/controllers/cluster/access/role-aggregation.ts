import { Controller, done } from '@fairlead/kube';
import type { MakeController } from '../../parts.ts';
import { forgiving } from '../forgiving.ts';
import { clusterRoleType } from '../kinds.ts';
import { aggregatedRules, type ClusterRole } from './aggregated-rules.ts';

const manager = 'clusterrole-aggregation-controller';

/** Keeps the rules of roles that are made of others. */
export const roleAggregation: MakeController = (parts) => {
  const client = parts.client(manager);
  const roles = parts.informers.informer<ClusterRole>(clusterRoleType);
  const aggregating = new Set<string>();
  const controller = new Controller({
    name: 'cluster-role-aggregation',
    clock: parts.clock,
    log: parts.log,
    async reconcile(name) {
      const role = roles.get(name);
      const rules = role && aggregatedRules(role, roles.list());
      if (!rules) return done;
      const body = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
      await forgiving(client.patch(clusterRoleType, { name }, 'apply', body, { force: true, fieldManager: manager }));
      return done;
    },
  });
  /** Any role may be part of any that gathers: there are few of those. */
  const lookAtAll = (): void => {
    for (const name of aggregating) controller.enqueue(name);
  };
  const follow = (role: ClusterRole): void => {
    if (role.aggregationRule) aggregating.add(role.metadata.name);
    else aggregating.delete(role.metadata.name);
    lookAtAll();
  };
  roles.addHandler({
    onAdd: follow,
    onUpdate: (_old, role) => follow(role),
    onDelete: ({ metadata }) => {
      aggregating.delete(metadata.name);
      lookAtAll();
    },
  });
  return controller.watch(roles, () => []);
};
