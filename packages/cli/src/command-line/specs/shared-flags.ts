import type { Flags } from '../command.ts';

/** The log of a role, on standard error. */
export const logFlags = {
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    choices: ['debug', 'info', 'warn', 'error'],
    help: 'lowest level of the log; info by default',
  },
  'log-format': {
    type: 'string',
    value: 'FORMAT',
    choices: ['text', 'json'],
    help: 'json for one JSON object per line; text by default',
  },
} as const satisfies Flags;

/** For commands that run a role. */
export const roleNamespaceFlag = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of settings, projects and Leases; argocd by default',
  },
} as const satisfies Flags;

/** The cluster that a command connects to. */
export const clusterFlags = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'kubeconfig of the cluster; by default $KUBECONFIG, the running fairlead up, or ~/.kube/config',
  },
  context: { type: 'string', value: 'NAME', help: 'context of the kubeconfig; its current context by default' },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    completes: 'folder',
    help: 'data folder of a running fairlead up; by default $FAIRLEAD_DATA_DIR, or .fairlead here or in a parent folder',
  },
} as const satisfies Flags;

/** The Application that a command is about. */
export const applicationFlags = {
  namespace: {
    type: 'string',
    short: 'n',
    aliases: ['app-namespace'],
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of the Application; argocd by default. NS/NAME does the same',
  },
  ...clusterFlags,
} as const satisfies Flags;

export const selectorFlag = {
  selector: {
    type: 'string',
    short: 'l',
    value: 'LABELS',
    help: 'all Applications with these labels: team=shop,tier!=test',
  },
} as const satisfies Flags;

export const timeoutFlag = {
  timeout: {
    type: 'string',
    value: 'TIME',
    help: 'stop waiting after this time, with exit code 4: 90, 90s, 5m; no limit by default',
  },
} as const satisfies Flags;

export const yesFlag = {
  yes: { type: 'boolean', short: 'y', help: 'do not ask for confirmation' },
} as const satisfies Flags;
