import type { Flags } from '../command.ts';

/** Which cluster a command speaks to. */
export const clusterFlags = {
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'the cluster that Applications live in; else KUBECONFIG, what fairlead up runs here, or ~/.kube/config',
  },
  context: { type: 'string', value: 'NAME', help: 'the context of the kubeconfig; else its current one' },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    completes: 'folder',
    help: 'the data folder of a running fairlead up; else .fairlead here or above, or $FAIRLEAD_DATA_DIR',
  },
} as const satisfies Flags;

/** Which Application. */
export const applicationFlags = {
  namespace: {
    type: 'string',
    short: 'n',
    aliases: ['app-namespace'],
    value: 'NS',
    completes: 'namespace',
    help: 'the namespace of the Application; argocd. NS/NAME does the same',
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
    help: 'give up after so long, with exit code 4: 90, 90s, 5m; never when absent',
  },
} as const satisfies Flags;

export const yesFlag = {
  yes: { type: 'boolean', short: 'y', help: 'do not ask' },
} as const satisfies Flags;
