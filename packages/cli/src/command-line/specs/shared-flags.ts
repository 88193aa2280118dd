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
/** Config management plugins run programs of the operator on the content of repositories: off unless asked for. */
export const pluginFlags = {
  plugins: {
    type: 'string',
    value: 'DIR',
    completes: 'folder',
    help: 'run the config management plugins of this folder: ConfigManagementPlugin files, and sockets of sidecars; off by default',
  },
} as const satisfies Flags;

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

/** The API server that a command uses instead of a cluster. */
export const serverFlags = {
  server: {
    type: 'string',
    value: 'HOST:PORT',
    help: 'API server to use instead of a cluster; by default $FAIRLEAD_SERVER, $ARGOCD_SERVER or the current context',
  },
  'server-context': {
    type: 'string',
    aliases: ['argocd-context'],
    value: 'NAME',
    help: 'context of fairlead login or argocd login to use; see fairlead context',
  },
  'auth-token': {
    type: 'string',
    value: 'TOKEN',
    help: 'token for the API server. Others can see it in the list of processes: $FAIRLEAD_AUTH_TOKEN is better',
  },
  'server-crt': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'CA certificates that the API server is trusted by',
  },
  insecure: { type: 'boolean', help: 'accept any certificate of the API server' },
  plaintext: { type: 'boolean', help: 'connect to the API server without TLS' },
  'grpc-web': { type: 'boolean', help: 'accepted as by argocd, without effect: REST is used' },
} as const satisfies Flags;

/** The cluster or the API server that a command uses. */
export const backendFlags = { ...clusterFlags, ...serverFlags } as const satisfies Flags;

export const applicationNamespace = {
  namespace: {
    type: 'string',
    short: 'n',
    aliases: ['app-namespace'],
    value: 'NS',
    completes: 'namespace',
    help: 'namespace of the Application; argocd by default. NS/NAME does the same',
  },
} as const satisfies Flags;

/** The Application that a command is about. */
export const applicationFlags = { ...applicationNamespace, ...backendFlags } as const satisfies Flags;

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

/** Formats of lists that have a text after `=`, as in kubectl. */
export const customForms = ['jsonpath=', 'custom-columns='] as const;

/** The order and the header of a list. */
export const listFlags = {
  'no-headers': { type: 'boolean', help: 'leave out the header of the table' },
  'sort-by': { type: 'string', value: 'PATH', help: 'sort by the value at a path: .metadata.creationTimestamp' },
} as const satisfies Flags;

export const listOutput = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: ['table', 'wide', 'json', 'yaml', 'name', ...customForms],
    help: 'output format; table by default',
  },
  ...listFlags,
} as const satisfies Flags;

export const objectOutput = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: ['table', 'json', 'yaml', 'name'],
    help: 'output format; table by default',
  },
} as const satisfies Flags;
