import { defineCommand, type Flags } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

const policyFlags = {
  'policy-file': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'a policy, or a ConfigMap with the keys of argocd-rbac-cm',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'read ConfigMap argocd-rbac-cm in this namespace',
  },
  ...clusterFlags,
} as const satisfies Flags;

export const rbacCan = defineCommand({
  name: 'rbac can',
  args: 'SUBJECT ACTION RESOURCE [OBJECT]',
  count: [3, 4],
  summary: 'test whether a policy allows a subject to do something',
  about: `Answers Yes or No by the policy in a file or in ConfigMap argocd-rbac-cm, as Argo CD's command of the same name. SUBJECT is a user, a role or a group. Roles of
projects are not considered. The exit code is 1 for No.`,
  flags: {
    'default-role': { type: 'string', value: 'ROLE', help: 'use this default role; policy.default otherwise' },
    'use-builtin-policy': { type: 'boolean', help: 'load the roles role:readonly and role:admin; true by default' },
    strict: { type: 'boolean', help: 'refuse resources and actions that do not exist; true by default' },
    quiet: { type: 'boolean', short: 'q', help: 'print nothing; the exit code is the answer' },
    ...policyFlags,
  },
  examples: [
    "rbac can role:dev sync applications 'shop/*' --policy-file policy.csv",
    'rbac can alice delete projects shop --namespace argocd',
  ],
});

export const rbacValidate = defineCommand({
  name: 'rbac validate',
  count: [0, 0],
  summary: 'check a policy for errors',
  about: 'Reads the policy in a file or in ConfigMap argocd-rbac-cm and reports the first line that is invalid.',
  flags: policyFlags,
  examples: ['rbac validate --policy-file policy.csv'],
});
