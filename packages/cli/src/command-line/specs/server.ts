import { defineCommand } from '../command.ts';
import { clusterFlags, logFlags, pluginFlags, roleNamespaceFlag } from './shared-flags.ts';

export const server = defineCommand({
  name: 'server',
  role: true,
  count: [0, 0],
  summary: 'run the API server on a cluster',
  about: `Serves the API of Argo CD (REST, gRPC and gRPC-Web on one port) for the Applications of a cluster until it is stopped, so that the argocd command line works with
it. The certificate is that of Secret argocd-server-tls, else that of argocd-secret; without both, one is generated and stored there. Accounts, tokens and rights are those of argocd-cm, argocd-secret and
argocd-rbac-cm. The first start generates the password of admin and stores it in Secret argocd-initial-admin-secret. All replicas serve.`,
  flags: {
    port: { type: 'string', value: 'PORT', help: 'port of the API; 8080 by default' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 127.0.0.1 by default' },
    insecure: { type: 'boolean', help: 'serve without TLS' },
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
    ...pluginFlags,
    ...logFlags,
    ...roleNamespaceFlag,
    ...clusterFlags,
  },
  examples: ['server --kubeconfig ~/.kube/config', 'server --host 0.0.0.0 --port 8080', 'server --insecure'],
});
