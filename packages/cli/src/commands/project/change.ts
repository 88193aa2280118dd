import type { AppProject } from '@fairlead/api';
import { withApi } from '../../backend/with-api.ts';
import type { BackendFlags } from '../../backend/with-backend.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type * as specs from '../../command-line/specs/project.ts';
import { added, changeKind, changeRole, policyLine, removed, roleNamed } from '../../projects/change-project.ts';
import { destinationOf, projectSpecFromFlags } from '../../projects/spec-from-flags.ts';
import { changeProject } from '../../projects/store-project.ts';

type Spec = AppProject['spec'];
type ChangeCall<F extends BackendFlags> = Pick<Call, 'args' | 'environment' | 'terminal'> & { readonly flags: F };

/** A command that changes the spec of the project in its first argument. */
const changing =
  <F extends BackendFlags>(change: (spec: Spec, args: readonly string[], flags: F) => Spec) =>
  (call: ChangeCall<F>): Promise<number> =>
    withApi(call, async (api) => {
      const [name = ''] = call.args;
      await changeProject(api, name, (spec) => change(spec, call.args, call.flags));
      call.terminal.write(`${call.terminal.style.good('✔')} project ${name} changed\n`);
      return exitCodes.ok;
    });

export const set: Handler<typeof specs.projectSet> = changing((spec, _, flags) => projectSpecFromFlags(spec, flags));

export const addSource: Handler<typeof specs.projectAddSource> = changing((spec, [, url = '']) => ({
  ...spec,
  sourceRepos: added(spec.sourceRepos, url, `repository ${url}`),
}));

export const removeSource: Handler<typeof specs.projectRemoveSource> = changing((spec, [, url = '']) => ({
  ...spec,
  sourceRepos: removed(spec.sourceRepos, url, `repository ${url}`),
}));

export const addDestination: Handler<typeof specs.projectAddDestination> = changing(
  (spec, [, cluster = '', namespace = ''], flags) => ({
    ...spec,
    destinations: added(
      spec.destinations,
      destinationOf(cluster, namespace, flags.name ?? false),
      `destination ${cluster},${namespace}`,
    ),
  }),
);

export const removeDestination: Handler<typeof specs.projectRemoveDestination> = changing(
  (spec, [, cluster = '', namespace = ''], flags) => ({
    ...spec,
    destinations: removed(
      spec.destinations,
      destinationOf(cluster, namespace, flags.name ?? false),
      `destination ${cluster},${namespace}`,
    ),
  }),
);

export const allowClusterResource: Handler<typeof specs.projectAllowClusterResource> = changing(
  (spec, [, group = '', kind = ''], { list = 'allow' }) =>
    changeKind(spec, { scope: 'cluster', allow: true, list }, group, kind),
);

export const denyClusterResource: Handler<typeof specs.projectDenyClusterResource> = changing(
  (spec, [, group = '', kind = ''], { list = 'allow' }) =>
    changeKind(spec, { scope: 'cluster', allow: false, list }, group, kind),
);

export const allowNamespaceResource: Handler<typeof specs.projectAllowNamespaceResource> = changing(
  (spec, [, group = '', kind = ''], { list = 'deny' }) =>
    changeKind(spec, { scope: 'namespace', allow: true, list }, group, kind),
);

export const denyNamespaceResource: Handler<typeof specs.projectDenyNamespaceResource> = changing(
  (spec, [, group = '', kind = ''], { list = 'deny' }) =>
    changeKind(spec, { scope: 'namespace', allow: false, list }, group, kind),
);

export const createRole: Handler<typeof specs.roleCreate> = changing((spec, [, role = ''], { description }) => ({
  ...spec,
  roles: added(spec.roles, { name: role, ...(description === undefined ? {} : { description }) }, `role ${role}`),
}));

export const deleteRole: Handler<typeof specs.roleDelete> = changing((spec, [, role = '']) => ({
  ...spec,
  roles: removed(spec.roles, roleNamed(spec, role), `role ${role}`),
}));

export const addPolicy: Handler<typeof specs.roleAddPolicy> = changing((spec, [project = '', name = ''], flags) =>
  changeRole(spec, name, (role) => ({
    ...role,
    policies: added(role.policies, policyLine(project, name, flags), 'the policy'),
  })),
);

export const removePolicy: Handler<typeof specs.roleRemovePolicy> = changing((spec, [project = '', name = ''], flags) =>
  changeRole(spec, name, (role) => ({
    ...role,
    policies: removed(role.policies, policyLine(project, name, flags), 'the policy'),
  })),
);

export const addGroup: Handler<typeof specs.roleAddGroup> = changing((spec, [, name = '', group = '']) =>
  changeRole(spec, name, (role) => ({ ...role, groups: added(role.groups, group, `group ${group}`) })),
);

export const removeGroup: Handler<typeof specs.roleRemoveGroup> = changing((spec, [, name = '', group = '']) =>
  changeRole(spec, name, (role) => ({ ...role, groups: removed(role.groups, group, `group ${group}`) })),
);
