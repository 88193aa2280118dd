import { defineCommand } from '../command.ts';
import { clusterFlags, logFlags, timeoutFlag, yesFlag } from './shared-flags.ts';

const namespaceFlag = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of the PrePullImage; “default” by default. NS/NAME does the same',
  },
} as const;

export const prepullList = defineCommand({
  name: 'prepull list',
  aliases: ['prepull ls'],
  count: [0, 0],
  summary: 'list PrePullImages and their progress',
  about: 'Every PrePullImage with its phase, the number of nodes that have the image, and the reason of each problem.',
  flags: {
    namespace: { ...namespaceFlag.namespace, help: 'only this namespace; all by default' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'yaml', 'name'],
      help: 'output format; table by default',
    },
    ...clusterFlags,
  },
  examples: ['prepull list', 'prepull list -n shop -o json'],
});

export const prepullRun = defineCommand({
  name: 'prepull run',
  args: 'IMAGE',
  count: [1, 1],
  summary: 'pull an image on nodes now',
  about: `Creates a PrePullImage and shows its progress, with a bar for each node. The kubelet of each node pulls the image, with the pull secrets of the
namespace; the image is not run.`,
  flags: {
    ...namespaceFlag,
    node: { type: 'list', value: 'NAME', help: 'only this node' },
    selector: { type: 'string', short: 'l', value: 'LABELS', help: 'only nodes with these labels: pool=web,disk=ssd' },
    secret: { type: 'list', value: 'NAME', help: 'a pull secret in the namespace' },
    name: { type: 'string', value: 'NAME', help: 'name of the PrePullImage; derived from the image by default' },
    async: { type: 'boolean', help: 'return at once, without waiting' },
    ...timeoutFlag,
    ...clusterFlags,
  },
  codes: { 3: 'some nodes could not pull the image', 4: 'timeout' },
  examples: [
    'prepull run nginx:1.29',
    'prepull run registry.example.com/shop/web:2.0 -n shop --secret registry-key',
    'prepull run busybox:1.37 -l pool=web --timeout 5m',
  ],
});

export const prepullStatus = defineCommand({
  name: 'prepull status',
  args: 'NAME',
  count: [1, 1],
  summary: 'show the progress of one image on each node',
  about: 'A bar for each node, how long its pull took, and the error of the registry if it failed.',
  flags: {
    ...namespaceFlag,
    watch: { type: 'boolean', short: 'w', help: 'watch until it has finished' },
    ...timeoutFlag,
    ...clusterFlags,
  },
  codes: { 3: 'some nodes could not pull the image', 4: 'timeout' },
  examples: ['prepull status web-2 -n shop', 'prepull status shop/web-2 -w'],
});

export const prepullGc = defineCommand({
  name: 'prepull gc',
  count: [0, 0],
  summary: 'delete finished PrePullImages',
  about: 'Deletes finished PrePullImages before their time to live ends. The images stay on the nodes.',
  flags: {
    namespace: { ...namespaceFlag.namespace, help: 'only this namespace; all by default' },
    'older-than': { type: 'string', value: 'TIME', help: 'only those that finished longer ago than this: 90s, 1h' },
    'dry-run': { type: 'boolean', help: 'show what would be deleted, and delete nothing' },
    ...yesFlag,
    ...clusterFlags,
  },
  examples: ['prepull gc --dry-run', 'prepull gc -n shop --older-than 1h -y'],
});

export const prepullController = defineCommand({
  name: 'prepull controller',
  role: true,
  count: [0, 0],
  summary: 'run the pre-pull controller on a cluster',
  about: `Watches policies, workloads and PrePullImages until it is stopped. If several replicas run, one is the leader. deploy/prepull-rbac.yaml has the rights
that it needs.`,
  flags: {
    'max-concurrent-pulls': { type: 'string', value: 'N', help: 'concurrent pulls in the cluster; 10 by default' },
    'max-pulls-per-node': { type: 'string', value: 'N', help: 'concurrent pulls per node; 2 by default' },
    'max-pulls-per-registry': {
      type: 'string',
      value: 'N',
      help: 'concurrent pulls per registry; no limit by default',
    },
    'max-pulls-per-namespace': {
      type: 'string',
      value: 'N',
      help: 'concurrent pulls per namespace; no limit by default',
    },
    'job-namespace': {
      type: 'string',
      value: 'NS',
      completes: 'namespace',
      help: 'namespace of the pull Jobs and their pull secrets; by default that of each PrePullImage',
    },
    'lease-namespace': {
      type: 'string',
      value: 'NS',
      completes: 'namespace',
      help: 'namespace of the Lease for leader election; argocd by default',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'address of the metrics port; 127.0.0.1 by default' },
    ...logFlags,
    ...clusterFlags,
  },
  examples: [
    'prepull controller --kubeconfig ~/.kube/config',
    'prepull controller --max-concurrent-pulls 50 --max-pulls-per-registry 20',
  ],
});
