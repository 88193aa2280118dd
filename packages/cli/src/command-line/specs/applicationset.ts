import { defineCommand, type Flags } from '../command.ts';
import { backendFlags, clusterFlags, logFlags, roleNamespaceFlag, yesFlag } from './shared-flags.ts';

export const applicationset = defineCommand({
  name: 'applicationset',
  role: true,
  count: [0, 0],
  summary: 'run the ApplicationSet controller on a cluster',
  about: `Reconciles the ApplicationSets of a cluster until it is stopped. If several replicas run, one is the leader. Creates the CRDs, the namespace argocd and the
default project if they are missing, and leaves existing ones as they are. The settings are the keys applicationsetcontroller.* of ConfigMap argocd-cmd-params-cm.`,
  flags: {
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'folder for mirrors of repositories; fairlead-cache in the temporary folder by default',
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
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 127.0.0.1 by default' },
    ...logFlags,
    ...roleNamespaceFlag,
    ...clusterFlags,
  },
  examples: ['applicationset --kubeconfig ~/.kube/config', 'applicationset --webhook-port 7000 --host 0.0.0.0'],
});

const setFlags = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of the ApplicationSet; argocd by default. NS/NAME does the same',
  },
  ...backendFlags,
} as const satisfies Flags;

const outputFlag = {
  output: { type: 'string', short: 'o', value: 'FORMAT', choices: ['json', 'yaml', 'name'], help: 'output format' },
} as const satisfies Flags;

export const appsetList = defineCommand({
  name: 'appset list',
  aliases: ['appset ls'],
  count: [0, 0],
  summary: 'list ApplicationSets',
  about:
    'Shows each ApplicationSet with the number of its Applications, its health and the reason if it is not Healthy.',
  flags: { ...outputFlag, ...setFlags },
  examples: ['appset list', 'appset list -n team-a -o yaml'],
});

export const appsetGet = defineCommand({
  name: 'appset get',
  args: 'NAME',
  count: [1, 1],
  summary: 'show an ApplicationSet and its Applications',
  about: 'Shows the conditions of an ApplicationSet, its Applications and, in a rollout, the step and status of each.',
  flags: { ...outputFlag, ...setFlags },
  examples: ['appset get guestbook', 'appset get guestbook -o yaml'],
});

export const appsetCreate = defineCommand({
  name: 'appset create',
  args: 'FILE…',
  count: [1, 20],
  summary: 'create ApplicationSets from files',
  about:
    'Creates the ApplicationSets in the files. One that exists is left as it is unless --upsert is given. --dry-run shows what would be sent.',
  flags: {
    upsert: { type: 'boolean', help: 'update ApplicationSets that exist' },
    'dry-run': { type: 'boolean', help: 'print the ApplicationSets and change nothing' },
    ...outputFlag,
    ...setFlags,
  },
  examples: ['appset create guestbook-set.yaml', 'appset create guestbook-set.yaml --upsert'],
});

export const appsetPreview = defineCommand({
  name: 'appset preview',
  aliases: ['appset generate'],
  args: 'FILE',
  count: [1, 1],
  summary: 'show what an ApplicationSet would create, change and delete',
  about: `Runs the generators of the ApplicationSet in the file and compares the result with the Applications of the cluster. Writes nothing. The exit code is 2 if something
would change.`,
  flags: {
    output: { type: 'string', short: 'o', value: 'FORMAT', choices: ['json', 'yaml'], help: 'print the Applications' },
    'exit-code': { type: 'boolean', help: 'exit with 2 if something would change; true by default' },
    ...setFlags,
  },
  examples: ['appset preview guestbook-set.yaml', 'appset preview guestbook-set.yaml -o yaml'],
});

export const appsetDelete = defineCommand({
  name: 'appset delete',
  aliases: ['appset rm', 'appset remove'],
  args: 'NAME…',
  count: [1, 20],
  summary: 'delete ApplicationSets',
  about: `Lists the Applications that are deleted with each ApplicationSet and asks for confirmation; without a terminal, --yes is required. Keeps the Applications with
--no-cascade.`,
  flags: {
    cascade: { type: 'boolean', help: 'delete the Applications; true by default' },
    ...yesFlag,
    ...setFlags,
  },
  examples: ['appset delete guestbook', 'appset delete guestbook --no-cascade --yes'],
});
