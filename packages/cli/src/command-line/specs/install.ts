import { defineCommand } from '../command.ts';
import { clusterFlags, yesFlag } from './shared-flags.ts';

const namespace = {
  type: 'string',
  short: 'n',
  value: 'NS',
  completes: 'namespace',
  help: 'namespace of the installation; argocd by default',
} as const;

const image = {
  type: 'string',
  value: 'IMAGE',
  help: 'container image; fairlead with the tag of this version by default',
} as const;

export const install = defineCommand({
  name: 'install',
  count: [0, 0],
  summary: 'install Fairlead on a cluster',
  about: `Installs or updates the CRDs, and every role as a Deployment with its permissions. CRDs that another tool manages, an existing namespace and an existing default
project are left as they are. The same command with a newer version updates an installation; replica counts that were changed are kept.`,
  flags: {
    namespace,
    ha: { type: 'boolean', help: 'several replicas of each role' },
    scope: {
      type: 'string',
      value: 'SCOPE',
      choices: ['cluster', 'namespace'],
      help: 'permissions: cluster, or only the namespace, to manage other clusters; cluster by default',
    },
    image,
    'dry-run': { type: 'boolean', help: 'print the manifests, and change nothing' },
    ...clusterFlags,
  },
  examples: [
    'install --dry-run',
    'install --image registry.example.com/fairlead:0.1.0',
    'install --ha --namespace gitops --kubeconfig ~/.kube/config',
  ],
});

export const upgrade = defineCommand({
  name: 'upgrade',
  count: [0, 0],
  summary: 'upgrade an installation to this version',
  about: `Updates the CRDs, permissions and Deployments of an installation to this version, and waits until the new pods are available. The scope of the installation and the replicas of
its roles are kept.`,
  flags: {
    namespace,
    image,
    timeout: { type: 'string', value: 'TIME', help: 'how long to wait for the new pods; 5m by default, 0 to not wait' },
    'dry-run': { type: 'boolean', help: 'print the manifests, and change nothing' },
    ...clusterFlags,
  },
  codes: { 4: 'the new pods were not available in time' },
  examples: ['upgrade --dry-run', 'upgrade --image registry.example.com/fairlead:0.2.0', 'upgrade --timeout 0'],
});

export const uninstall = defineCommand({
  name: 'uninstall',
  count: [0, 0],
  summary: 'remove Fairlead from a cluster; applications keep running',
  about: `Deletes the Deployments, Services and permissions that fairlead install created. Keeps the CRDs, the namespace, Applications, projects, settings and Secrets, so nothing
that was deployed is deleted, and a later installation continues where this one stopped.`,
  flags: { namespace, ...yesFlag, ...clusterFlags },
  examples: ['uninstall', 'uninstall --yes --namespace gitops'],
});

export const check = defineCommand({
  name: 'check',
  count: [0, 0],
  summary: 'check that a cluster can run Fairlead, and that it does',
  about:
    'Checks the version of the cluster and the permissions for an installation; then the CRDs, the Deployments of all roles, and that a process holds the Lease of each role.',
  flags: { namespace, pre: { type: 'boolean', help: 'only what an installation needs' }, ...clusterFlags },
  codes: { 3: 'a check has failed' },
  examples: ['check --pre', 'check --namespace gitops'],
});
