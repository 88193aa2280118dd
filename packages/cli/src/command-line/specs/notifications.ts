import { defineCommand, type Flags } from '../command.ts';
import { clusterFlags, logFlags, roleNamespaceFlag } from './shared-flags.ts';

export const notifications = defineCommand({
  name: 'notifications',
  role: true,
  count: [0, 0],
  summary: 'run the notifications controller on a cluster',
  about: `Sends the notifications that ConfigMap argocd-notifications-cm configures, until it is stopped. If several replicas run, one is the leader. What was sent is
marked on the Application, so that nothing is sent twice.`,
  flags: {
    'cache-dir': {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'folder for mirrors of repositories; fairlead-cache in the temporary folder by default',
    },
    'metrics-port': { type: 'string', value: 'PORT', help: 'serve /metrics, /healthz and /readyz on this port' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on; 127.0.0.1 by default' },
    ...logFlags,
    ...roleNamespaceFlag,
    ...clusterFlags,
  },
  examples: ['notifications --kubeconfig ~/.kube/config', 'notifications --metrics-port 9001 --host 0.0.0.0'],
});

const configFlags = {
  'config-map': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'file with ConfigMap argocd-notifications-cm, or - for standard input; that of the cluster by default',
  },
  secret: {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'file with Secret argocd-notifications-secret, or :empty for none; that of the cluster by default',
  },
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of the configuration and of the Application; argocd by default',
  },
  ...clusterFlags,
} as const satisfies Flags;

const output = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORM',
    choices: ['wide', 'name', 'json', 'yaml'],
    help: 'format; wide by default',
  },
} as const satisfies Flags;

export const notificationsTrigger = defineCommand({
  name: 'notifications trigger',
  args: 'get [NAME] | run NAME APPLICATION',
  count: [1, 3],
  summary: 'show triggers, or evaluate one for an Application',
  about: `get prints the conditions of triggers. run evaluates a trigger and prints the result of each condition; nothing is sent. APPLICATION is a file, or the name of an
Application on the cluster.`,
  flags: { ...output, ...configFlags },
  examples: ['notifications trigger get', 'notifications trigger run on-deployed guestbook'],
});

export const notificationsTemplate = defineCommand({
  name: 'notifications template',
  args: 'get [NAME] | notify NAME APPLICATION',
  count: [1, 3],
  summary: 'show templates, or render one for an Application',
  about: `get prints templates. notify renders a template and prints the notification; with --recipient SERVICE:RECIPIENT it is sent. APPLICATION is a file, or the name of an
Application on the cluster.`,
  flags: {
    recipient: {
      type: 'list',
      value: 'SERVICE:NAME',
      help: 'send to this recipient; console:stdout prints, and is the default',
    },
    ...output,
    ...configFlags,
  },
  examples: [
    'notifications template get app-deployed -o yaml',
    'notifications template notify app-deployed guestbook --recipient slack:my-channel',
  ],
});

export const notificationsService = defineCommand({
  name: 'notifications service',
  args: 'get [NAME]',
  count: [1, 2],
  summary: 'show the services of the configuration and what is wrong with them',
  about:
    'Prints each service with its type, and why it cannot be used. Options are not printed: they contain credentials.',
  flags: configFlags,
  examples: ['notifications service get'],
});

export const notificationsStatus = defineCommand({
  name: 'notifications status',
  args: '[APPLICATION]',
  count: [0, 1],
  summary: 'show what was sent, what failed, and what is wrong with the configuration',
  about: `Prints the deliveries that are marked on Applications, the deliveries that failed recently, and the problems of the configuration. The exit code is 3 if there is a
problem.`,
  flags: configFlags,
  examples: ['notifications status', 'notifications status guestbook'],
  codes: { 3: 'a delivery failed or the configuration is invalid' },
});

export const notificationsCatalog = defineCommand({
  name: 'notifications catalog',
  count: [0, 0],
  summary: 'print a ConfigMap with the triggers and templates of the catalog',
  about:
    'Prints ConfigMap argocd-notifications-cm with the triggers and templates of the same names as in the catalog of Argo CD.',
  flags: {},
  examples: ['notifications catalog'],
});
