import { defineCommand } from '../command.ts';
import { backendFlags, listOutput, objectOutput, yesFlag } from './shared-flags.ts';

export const clusterList = defineCommand({
  name: 'cluster list',
  count: [0, 0],
  summary: 'list clusters, and whether they can be reached',
  about:
    'Shows the clusters that you may see, their version and the state of the connection. Clusters without Applications are not connected to.',
  flags: { ...listOutput, ...backendFlags },
  examples: ['cluster list', 'cluster list -o json'],
});

export const clusterGet = defineCommand({
  name: 'cluster get',
  args: 'CLUSTER',
  count: [1, 1],
  summary: 'show a cluster',
  about: 'CLUSTER is the address or the name of a cluster.',
  flags: { ...objectOutput, ...backendFlags },
  examples: ['cluster get in-cluster', 'cluster get https://10.0.0.1:6443 -o yaml'],
});

export const clusterAdd = defineCommand({
  name: 'cluster add',
  args: 'CONTEXT',
  count: [1, 1],
  summary: 'add the cluster of a kubeconfig context',
  about: `Creates a service account in the cluster of CONTEXT, with all rights or with those in --namespace only, and stores the cluster with its token. CONTEXT is read from --from, by default from
$KUBECONFIG or ~/.kube/config.`,
  flags: {
    from: { type: 'string', value: 'FILE', completes: 'file', help: 'kubeconfig that has CONTEXT' },
    name: { type: 'string', value: 'NAME', help: 'name of the cluster; CONTEXT by default' },
    namespace: { type: 'list', value: 'NS', help: 'limit it to these namespaces' },
    'cluster-resources': { type: 'boolean', help: 'with --namespace: manage cluster-scoped objects, too' },
    'service-account': {
      type: 'string',
      value: 'NAME',
      help: 'use this service account of --system-namespace; one is created by default',
    },
    'system-namespace': {
      type: 'string',
      value: 'NS',
      help: 'namespace of the service account; kube-system by default',
    },
    'in-cluster': { type: 'boolean', help: 'its address is https://kubernetes.default.svc' },
    label: { type: 'list', value: 'K=V', help: 'label of the cluster' },
    annotation: { type: 'list', value: 'K=V', help: 'annotation of the cluster' },
    project: { type: 'string', value: 'PROJECT', completes: 'project', help: 'project that it belongs to' },
    shard: { type: 'string', value: 'N', help: 'shard of the controller' },
    upsert: { type: 'boolean', help: 'replace what is stored' },
    ...yesFlag,
    ...backendFlags,
  },
  examples: ['cluster add prod --yes', 'cluster add prod --namespace shop --name prod-shop --yes'],
});

export const clusterRemove = defineCommand({
  name: 'cluster rm',
  aliases: ['cluster remove', 'cluster delete'],
  args: 'CLUSTER…',
  count: [1, 20],
  summary: 'remove clusters',
  about:
    'Removes what is stored of the clusters; what is deployed there stays. Asks for confirmation; without a terminal, --yes is required.',
  flags: { ...yesFlag, ...backendFlags },
  examples: ['cluster rm prod --yes'],
});
