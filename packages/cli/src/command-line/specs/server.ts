import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

export const server = defineCommand({
  name: 'server',
  count: [0, 0],
  summary: 'run the API server on a cluster',
  about: `Serves the REST API of Argo CD for the Applications of a cluster until it is stopped. Accounts, tokens and rights are those of argocd-cm, argocd-secret and
argocd-rbac-cm. The first start generates the password of admin and stores it in Secret argocd-initial-admin-secret. All replicas serve.`,
  flags: {
    port: { type: 'string', value: 'PORT', help: 'port of the API; 8080 by default' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 127.0.0.1 by default' },
    'application-namespaces': {
      type: 'list',
      value: 'GLOB',
      help: 'also serve Applications in these namespaces',
    },
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'folder for mirrors of repositories and charts; fairlead-cache in the temporary folder by default',
    },
    'audit-log': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'append a line of JSON for every change to this file; - for standard output. Part of the log by default',
    },
    'trusted-proxies': {
      type: 'list',
      value: 'NETWORK',
      help: 'proxies whose X-Forwarded-For names the client, such as 10.0.0.0/8',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    ...clusterFlags,
  },
  examples: ['server --kubeconfig ~/.kube/config', 'server --host 0.0.0.0 --port 8080'],
});
