import type { RoleBindingFields } from '../fields/cluster.ts';
import type { KubeObject } from '../meta/object.ts';

const group = 'rbac.authorization.k8s.io';

export function defaultRoleBinding(binding: RoleBindingFields): void {
  (binding.roleRef ??= {}).apiGroup ||= group;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
  }
}

interface ApiServiceFields extends KubeObject {
  spec?: { service?: { port?: number } };
}

export function defaultApiService({ spec }: ApiServiceFields): void {
  if (spec?.service) spec.service.port ??= 443;
}
