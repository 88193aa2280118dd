import { defineCommand } from '../command.ts';
import { clusterFlags, timeoutFlag, yesFlag } from './shared-flags.ts';

const namespaceFlag = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'the namespace of the PrePullImage; default. NS/NAME does the same',
  },
} as const;

export const prepullList = defineCommand({
  name: 'prepull list',
  aliases: ['prepull ls'],
  count: [0, 0],
  summary: 'images that nodes are to have, and how far that is',
  about:
    'Every PrePullImage with its phase, how many of its nodes have the image and, where something is not well, why.',
  flags: {
    namespace: { ...namespaceFlag.namespace, help: 'only of this namespace; of all when absent' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['table', 'json', 'yaml', 'name'],
      help: 'how: table when absent',
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
  about: `Makes a PrePullImage and follows it, with a bar for each node. The image is pulled by the kubelet of each node, with the pull secrets of the
namespace; nothing of it is run.`,
  flags: {
    ...namespaceFlag,
    node: { type: 'list', value: 'NAME', help: 'only this node; may be given several times' },
    selector: { type: 'string', short: 'l', value: 'LABELS', help: 'only nodes with these labels: pool=web,disk=ssd' },
    secret: { type: 'list', value: 'NAME', help: 'a pull secret of the namespace; may be given several times' },
    name: { type: 'string', value: 'NAME', help: 'what to call it; made from the image when absent' },
    async: { type: 'boolean', help: 'do not wait' },
    ...timeoutFlag,
    ...clusterFlags,
  },
  codes: { 0: 'every node has it', 3: 'some nodes could not pull it', 4: 'not in time' },
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
  summary: 'how far one image is, node by node',
  about: 'A bar for each node, how long its pull took, and what the registry said where it failed.',
  flags: {
    ...namespaceFlag,
    watch: { type: 'boolean', short: 'w', help: 'go on until it has finished' },
    ...timeoutFlag,
    ...clusterFlags,
  },
  codes: { 0: 'every node has it, or it is under way', 3: 'some nodes could not pull it', 4: 'not in time' },
  examples: ['prepull status web-2 -n shop', 'prepull status shop/web-2 -w'],
});

export const prepullGc = defineCommand({
  name: 'prepull gc',
  count: [0, 0],
  summary: 'delete what has finished',
  about: 'Deletes PrePullImages that have finished, before their time to live does. Images stay on the nodes.',
  flags: {
    namespace: { ...namespaceFlag.namespace, help: 'only of this namespace; of all when absent' },
    'older-than': { type: 'string', value: 'TIME', help: 'only what finished this long ago or longer: 90s, 1h' },
    'dry-run': { type: 'boolean', help: 'only say what would be deleted' },
    ...yesFlag,
    ...clusterFlags,
  },
  examples: ['prepull gc --dry-run', 'prepull gc -n shop --older-than 1h -y'],
});

export const prepullController = defineCommand({
  name: 'prepull controller',
  count: [0, 0],
  summary: 'run pre-pulling on a cluster',
  about: `Watches policies, workloads and PrePullImages until it is stopped. Of several that run at the same time one leads. deploy/prepull-rbac.yaml has the
rights that it needs.`,
  flags: {
    'max-concurrent-pulls': { type: 'string', value: 'N', help: 'pulls at once in the cluster; 10' },
    'max-pulls-per-node': { type: 'string', value: 'N', help: 'pulls at once on a node; 2' },
    'max-pulls-per-registry': {
      type: 'string',
      value: 'N',
      help: 'pulls at once from a registry; no limit when absent',
    },
    'max-pulls-per-namespace': {
      type: 'string',
      value: 'N',
      help: 'pulls at once for a namespace; no limit when absent',
    },
    'job-namespace': {
      type: 'string',
      value: 'NS',
      completes: 'namespace',
      help: 'where pull Jobs stand, with the pull secrets that they name; in the namespace of each PrePullImage when absent',
    },
    'lease-namespace': {
      type: 'string',
      value: 'NS',
      completes: 'namespace',
      help: 'where replicas agree on who leads; fairlead',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    ...clusterFlags,
  },
  examples: [
    'prepull controller --kubeconfig ~/.kube/config',
    'prepull controller --max-concurrent-pulls 50 --max-pulls-per-registry 20',
  ],
});
