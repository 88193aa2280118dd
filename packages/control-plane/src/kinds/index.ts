import { formatTime } from '@fairlead/apimachinery';
import { type Authorizer, confirmNoEscalation } from '../access/index.ts';
import { crdRules, type Definition, markTerminating } from '../crd/index.ts';
import type { Draft, KindRules, RuleContext } from '../resource.ts';
import { clusterRules } from './cluster/index.ts';
import { type AdmissionRules, withAdmission } from './with-admission.ts';
import { podAdmission, policyLabels, rulesOfWorkloads, warnOfPods } from './workloads/index.ts';

export { underQuota } from './under-quota.ts';

export interface RuleOptions {
  readonly authorize: Authorizer;
  readonly serviceAccountAdmission: boolean;
  readonly allowPrivileged: boolean;
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
    ...rulesOfWorkloads({ allowPrivileged: options.allowPrivileged }),
    'apiextensions.k8s.io/v1/CustomResourceDefinition': {
      ...crdRules,
      anyFinalizer: true,
      markDeleted: (draft: Definition, context) => markTerminating(draft, formatTime(context.clock.now())),
    },
  };
  const add = (key: string, plugin: AdmissionRules): void => {
    rules[key] = withAdmission(rules[key] ?? {}, plugin);
  };
  add('v1/Pod', podAdmission({ serviceAccount: options.serviceAccountAdmission }));
  add('v1/Namespace', namespaceSecurity);
  for (const [key, resource] of Object.entries(guarded)) {
    const admit = (draft: Draft, old: Draft | undefined, context: RuleContext): void =>
      confirmNoEscalation(options.authorize, resource, draft, old, context);
    add(key, { admit });
  }
  return rules;
}

const namespaceSecurity: Pick<KindRules<Draft>, 'verify' | 'validate' | 'validateUpdate'> = {
  validate: (draft, context) => (context.operation === 'create' ? policyLabels(draft) : []),
  validateUpdate: (draft, old) => policyLabels(draft, old),
  verify: (draft, old, context) => old && warnOfPods(draft, old, context),
};
