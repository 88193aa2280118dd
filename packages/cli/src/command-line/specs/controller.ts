import { defineCommand } from '../command.ts';
import { clusterFlags, logFlags, pluginFlags, roleNamespaceFlag } from './shared-flags.ts';

export const controller = defineCommand({
  name: 'controller',
  role: true,
  count: [0, 0],
  summary: 'run the application controller on a cluster',
  about: `Reconciles the Applications of a cluster until it is stopped. Several replicas share the Applications. Creates the CRDs, the namespace argocd and the
default project if they are missing, and leaves existing ones as they are.`,
  flags: {
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'folder for mirrors of repositories and charts; fairlead-cache in the temporary folder by default',
    },
    'repo-poll': {
      type: 'string',
      value: 'TIME',
      help: 'how often repositories are polled for new commits, such as 90s; 2m by default',
    },
    'webhook-port': {
      type: 'string',
      value: 'PORT',
      help: 'receive webhooks of Git hosts at /api/webhook on this port',
    },
    'sharding-method': {
      type: 'string',
      value: 'NAME',
      choices: ['legacy', 'round-robin', 'consistent-hashing'],
      help: 'accepted as by Argo CD, without effect: controllers share Applications by rendezvous hashing',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 127.0.0.1 by default' },
    ...pluginFlags,
    ...logFlags,
    ...roleNamespaceFlag,
    ...clusterFlags,
  },
  examples: [
    'controller --kubeconfig ~/.kube/config',
    'controller --webhook-port 8080 --metrics-port 8082 --host 0.0.0.0',
  ],
});
