import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

export const controller = defineCommand({
  name: 'controller',
  count: [0, 0],
  summary: 'run the application controller on a cluster',
  about: `Delivers the Applications of a cluster until it is stopped. Of several that run at the same time one leads. What is missing of the resource
kinds, the namespace argocd and the default project is made; what is there is left as it is.`,
  flags: {
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'where mirrors of repositories and charts are kept; fairlead-cache in the folder for temporary files',
    },
    'repo-poll': {
      type: 'string',
      value: 'TIME',
      help: 'how often repositories are asked for new commits where no webhook tells: 90s, 5m; 2m when absent',
    },
    'webhook-port': { type: 'string', value: 'PORT', help: 'hear webhooks of Git hosts at /api/webhook of this port' },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'the address that these ports are on; 127.0.0.1' },
    ...clusterFlags,
  },
  examples: [
    'controller --kubeconfig ~/.kube/config',
    'controller --webhook-port 8080 --metrics-port 8082 --host 0.0.0.0',
  ],
});
