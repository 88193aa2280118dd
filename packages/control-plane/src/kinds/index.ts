import { type Authorizer, confirmNoEscalation } from '../access/index.ts';
import { crdRules, type Definition, markTerminating } from '../crd/index.ts';
import type { KindRules } from '../resource.ts';
import { timestamp } from '../verbs/api.ts';
import { clusterRules } from './cluster/index.ts';

const workloadRules = {};

export interface RuleOptions {
  readonly authorize: Authorizer;
  readonly serviceAccountAdmission: boolean;
}

const guarded = {
  'rbac.authorization.k8s.io/v1/Role': 'roles',
  'rbac.authorization.k8s.io/v1/ClusterRole': 'clusterroles',
  'rbac.authorization.k8s.io/v1/RoleBinding': 'rolebindings',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': 'clusterrolebindings',
} as const;

/** The rules of every built-in kind, by `apiVersion/Kind`, with admission as configured. */
export function kindRules(options: RuleOptions): Record<string, KindRules> {
  const rules: Record<string, KindRules> = {
    ...clusterRules,
    ...workloadRules,
    'apiextensions.k8s.io/v1/CustomResourceDefinition': {
      ...crdRules,
      anyFinalizer: true,
      markDeleted: (draft, context) => markTerminating(draft as unknown as Definition, timestamp(context.clock.now())),
    },
  };
  for (const [key, resource] of Object.entries(guarded)) {
    const own = rules[key] ?? {};
    rules[key] = {
      ...own,
      admit(draft, old, context) {
        own.admit?.(draft, old, context);
        confirmNoEscalation(options.authorize, resource, draft, old, context);
      },
    };
  }
  return rules;
}
