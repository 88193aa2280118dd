import { defineCommand, type Flags } from '../command.ts';
import { applicationFlags, selectorFlag, timeoutFlag, yesFlag } from './shared-flags.ts';
import { specFlags } from './source-flags.ts';

const many = Number.POSITIVE_INFINITY;
const one = { args: 'NAME', count: [1, 1], completes: 'app' } as const;

export const appGet = defineCommand({
  ...one,
  name: 'app get',
  aliases: ['app show', 'app describe'],
  summary: 'show one Application, its objects and its problems',
  about: 'The same as fairlead get app NAME.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'wide', 'json', 'yaml', 'name', 'tree'],
      help: 'output format; table by default',
    },
    refresh: { type: 'boolean', help: 'refresh it first' },
    'hard-refresh': { type: 'boolean', help: 'refresh it first, without cached manifests' },
    ...applicationFlags,
  },
  examples: ['app get web', 'app get web --refresh', 'app get web -o yaml'],
});

const verifyFlags = {
  verify: {
    type: 'boolean',
    help: 'check project, repository, revision, path and destination before writing, the default; --no-verify skips it',
  },
  validate: { type: 'boolean', help: 'the same, as argocd has it: --no-validate' },
} as const satisfies Flags;

export const appCreate = defineCommand({
  name: 'app create',
  args: '[NAME]',
  count: [0, 1],
  summary: 'create an Application',
  about: `Creates an Application from flags, or from a file with -f; flags override the file. Problems are reported before anything is created.`,
  flags: {
    ...specFlags,
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      help: 'an Application as YAML or JSON; - for standard input',
    },
    label: { type: 'list', short: 'l', value: 'K=V', help: 'set a label' },
    annotation: { type: 'list', aliases: ['annotations'], value: 'K=V', help: 'set an annotation' },
    'set-finalizer': { type: 'boolean', help: 'delete its objects with it, however it is deleted' },
    upsert: { type: 'boolean', help: 'update it if it exists and differs' },
    ...verifyFlags,
    'dry-run': { type: 'boolean', help: 'print what would be created, and create nothing' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['yaml', 'json', 'name'],
      help: 'print the created Application',
    },
    ...applicationFlags,
  },
  examples: [
    'app create web --repo https://example.com/shop.git --path deploy/web --dest-namespace shop --sync-policy auto --auto-prune --self-heal --sync-option CreateNamespace=true',
    'app create db --repo https://charts.example.com --helm-chart postgresql --revision 16.x --helm-set auth.database=shop --dest-namespace db',
    'app create -f application.yaml --upsert',
  ],
});

export const appSet = defineCommand({
  ...one,
  name: 'app set',
  summary: 'change fields of an Application',
  about: 'Changes the fields that the flags name and leaves everything else as it is. Prints the changes.',
  flags: {
    ...specFlags,
    'source-position': { type: 'string', value: 'N', help: 'number of the source to change, from 1' },
    ...verifyFlags,
    label: { type: 'list', short: 'l', value: 'K=V', help: 'set a label; K- removes it' },
    annotation: { type: 'list', aliases: ['annotations'], value: 'K=V', help: 'set an annotation; K- removes it' },
    'dry-run': { type: 'boolean', help: 'show the changes, and change nothing' },
    ...applicationFlags,
  },
  examples: [
    'app set web --revision v1.4',
    'app set web --sync-policy auto --self-heal',
    'app set web --helm-set replicas=3 --sync-option ServerSideApply=true',
  ],
});

export const appEdit = defineCommand({
  ...one,
  name: 'app edit',
  summary: 'edit an Application in an editor',
  about: `Opens the spec in $KUBE_EDITOR, $VISUAL or $EDITOR. If the result is invalid, the file is opened again with the problems as comments. Nothing is
changed until it is valid; an unchanged or empty file cancels the edit.`,
  flags: { ...applicationFlags },
  examples: ['app edit web'],
});

export const appDelete = defineCommand({
  name: 'app delete',
  aliases: ['app rm', 'app remove'],
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'delete an Application and its objects',
  about: `Lists what will be deleted and asks for confirmation; without a terminal, --yes is required. Deletes the Application's objects unless --no-cascade. Waits
until everything is deleted.`,
  flags: {
    cascade: { type: 'boolean', help: 'delete its objects too, the default; --no-cascade keeps them' },
    'propagation-policy': {
      type: 'string',
      short: 'p',
      value: 'HOW',
      choices: ['foreground', 'background'],
      help: 'whether dependents are deleted before their owner or after it; foreground by default',
    },
    wait: { type: 'boolean', help: 'wait until everything is deleted, the default; --no-wait returns at once' },
    ...timeoutFlag,
    ...yesFlag,
    ...selectorFlag,
    ...applicationFlags,
  },
  examples: ['app delete web', 'app delete web --no-cascade --yes', 'app delete -l team=shop'],
  codes: { 4: 'timeout: not everything was deleted' },
});

export const appSync = defineCommand({
  name: 'app sync',
  aliases: ['app reconcile', 'reconcile', 'sync'],
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'sync an Application to its source',
  about: `Starts a sync and shows the progress of phases, waves, hooks and objects until it has finished. The operation is identified by an id, so a sync that
someone else starts in the meantime is not confused with this one.`,
  flags: {
    revision: { type: 'string', value: 'REV', help: 'sync to this revision; not allowed with automated sync' },
    revisions: { type: 'list', value: 'REV', help: 'one revision per source, in the order of the sources' },
    local: {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'sync from this folder instead of the source; not allowed with automated sync',
    },
    prune: { type: 'boolean', help: 'delete objects that are no longer in the source' },
    'dry-run': { type: 'boolean', help: 'validate with the cluster and change nothing' },
    force: { type: 'boolean', help: 'delete and re-create objects that cannot be updated' },
    resource: {
      type: 'list',
      value: 'G:K:NAME',
      help: 'only these objects, as GROUP:KIND:[NAMESPACE/]NAME with * for any; !G:K:NAME excludes',
    },
    'out-of-sync-only': {
      type: 'boolean',
      aliases: ['apply-out-of-sync-only'],
      help: 'apply only objects that differ',
    },
    strategy: {
      type: 'string',
      value: 'HOW',
      choices: ['hook', 'apply'],
      help: 'apply runs no hooks; hook by default',
    },
    'sync-option': {
      type: 'list',
      value: 'OPTION',
      completes: 'sync-option',
      help: 'sync option for this sync, in addition to those of the Application',
    },
    'server-side': { type: 'boolean', help: 'the same as --sync-option ServerSideApply=true' },
    replace: { type: 'boolean', help: 'the same as --sync-option Replace=true' },
    'retry-limit': { type: 'string', value: 'N', help: 'how often a failed sync is retried' },
    'retry-backoff-duration': { type: 'string', value: 'TIME', help: 'delay before the first retry' },
    'retry-backoff-factor': { type: 'string', value: 'N', help: 'factor by which the delay grows' },
    'retry-backoff-max-duration': { type: 'string', value: 'TIME', help: 'longest delay' },
    'retry-refresh': { type: 'boolean', help: 'use the newest commit for a retry' },
    info: { type: 'list', value: 'NAME=TEXT', help: 'note that is stored with the operation' },
    async: { type: 'boolean', help: 'return at once, without waiting' },
    health: { type: 'boolean', help: 'also wait until it is Healthy; exit code 3 if it is Degraded instead' },
    ...timeoutFlag,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['json', 'yaml'],
      help: 'print the Application when finished',
    },
    ...selectorFlag,
    ...applicationFlags,
  },
  examples: [
    'app sync web',
    'app sync web --prune --timeout 5m',
    'app sync web --resource apps:Deployment:web --dry-run',
    'app sync web --local deploy/web',
    'app sync -l team=shop --health',
  ],
  codes: { 3: 'synced but Degraded, with --health', 4: 'timeout; the sync continues' },
});

export const appWait = defineCommand({
  name: 'app wait',
  aliases: ['wait'],
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'wait until an Application is Synced and Healthy',
  about: `Without flags: until it is Synced and Healthy and no operation runs. If the Application stays Degraded while nothing is in progress, the wait ends
with exit code 3.`,
  flags: {
    sync: { type: 'boolean', help: 'until it is Synced' },
    health: { type: 'boolean', help: 'until it is Healthy' },
    operation: { type: 'boolean', help: 'until no operation runs or is pending' },
    suspended: { type: 'boolean', help: 'accept Suspended instead of Healthy' },
    degraded: { type: 'boolean', help: 'until it is Degraded' },
    delete: { type: 'boolean', help: 'until it is deleted' },
    resource: { type: 'list', value: 'G:K:NAME', help: 'check only these objects' },
    ...timeoutFlag,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['json', 'yaml'],
      help: 'print the Application when finished',
    },
    ...selectorFlag,
    ...applicationFlags,
  },
  examples: [
    'app wait web',
    'app wait web --health --timeout 2m',
    'app wait -l team=shop --sync',
    'app wait web --operation',
  ],
  codes: { 3: 'the Application is Degraded', 4: 'timeout' },
});

export const appDiff = defineCommand({
  ...one,
  name: 'app diff',
  summary: 'show what a sync would change',
  about: `Compares target state and live state, field by field. Values of Secrets are hidden. If the source cannot be read from this machine, shows the
differences that the controller found.`,
  flags: {
    revision: { type: 'string', value: 'REV', help: 'compare with this revision of the source' },
    revisions: { type: 'list', value: 'REV', help: 'one revision per source, in the order of the sources' },
    local: {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'compare with this folder instead of the source',
    },
    'exit-code': { type: 'boolean', help: 'exit code 2 on a difference, the default; --no-exit-code exits with 0' },
    ...applicationFlags,
  },
  examples: ['app diff web', 'app diff web --revision v2', 'app diff web --local deploy/web'],
  codes: { 2: 'difference' },
});

export const appHistory = defineCommand({
  ...one,
  name: 'app history',
  summary: 'list past syncs, for rollback',
  about: 'Lists the recorded syncs with the id that fairlead app rollback takes.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'wide', 'id', 'json', 'yaml'],
      help: 'output format; table by default',
    },
    ...applicationFlags,
  },
  examples: ['app history web', 'app history web -o json'],
});

export const appRollback = defineCommand({
  name: 'app rollback',
  args: 'NAME [ID]',
  count: [1, 2],
  completes: 'app',
  summary: 'roll back to a past sync',
  about: `Syncs to the revisions of a past sync: the one before the last, or the one with the id. Shows the changes and asks for confirmation. Not allowed with
automated sync, which would revert it at once.`,
  flags: {
    prune: { type: 'boolean', help: 'delete objects that did not exist then' },
    'dry-run': { type: 'boolean', help: 'show the changes, and change nothing' },
    async: { type: 'boolean', help: 'return at once, without waiting' },
    ...timeoutFlag,
    ...yesFlag,
    ...applicationFlags,
  },
  examples: ['app rollback web', 'app rollback web 3 --prune --yes', 'app rollback web 3 --dry-run'],
  codes: { 4: 'timeout; the rollback continues' },
});

export const appTree = defineCommand({
  ...one,
  name: 'app tree',
  aliases: ['app resources', 'tree'],
  summary: 'show its objects and their dependents, with health',
  about: 'The objects of the Application and, below each, the objects that it owns: ReplicaSets, Pods and so on.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['tree', 'json'],
      help: 'output format; tree by default',
    },
    ...applicationFlags,
  },
  examples: ['app tree web'],
});

export const appManifests = defineCommand({
  ...one,
  name: 'app manifests',
  summary: 'print its objects as YAML, from the source or live',
  about: 'Values of Secrets are hidden.',
  flags: {
    source: {
      type: 'string',
      value: 'WHERE',
      choices: ['git', 'live'],
      help: 'git for the target state (default), or live',
    },
    revision: { type: 'string', value: 'REV', help: 'compare with this revision of the source' },
    revisions: { type: 'list', value: 'REV', help: 'one revision per source, in the order of the sources' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['yaml', 'json'],
      help: 'output format; yaml by default',
    },
    ...applicationFlags,
  },
  examples: ['app manifests web', 'app manifests web --source live', 'app manifests web --revision v2 -o json'],
});

export const appEvents = defineCommand({
  ...one,
  name: 'app events',
  aliases: ['events'],
  summary: 'show events of it and its objects',
  about: 'Events of the Application, its objects and their dependents, newest last.',
  flags: {
    watch: { type: 'boolean', short: 'w', help: 'watch for new events' },
    warnings: { type: 'boolean', help: 'only warnings' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json'],
      help: 'output format; table by default',
    },
    ...applicationFlags,
  },
  examples: ['app events web', 'app events web --warnings -w'],
});

export const appLogs = defineCommand({
  ...one,
  name: 'app logs',
  aliases: ['logs'],
  summary: 'show the logs of its containers',
  about: 'Lines of all containers of all its pods, each prefixed with the pod.',
  flags: {
    follow: { type: 'boolean', short: 'f', help: 'stream new lines' },
    container: { type: 'string', short: 'c', value: 'NAME', help: 'only containers with this name' },
    tail: { type: 'string', value: 'N', help: 'only the last N lines of each container; all by default' },
    since: { type: 'string', value: 'TIME', help: 'only lines newer than this: 10m' },
    previous: { type: 'boolean', help: 'logs of the container before its last restart' },
    timestamps: { type: 'boolean', help: 'show the time of each line' },
    filter: { type: 'string', value: 'TEXT', help: 'only lines that contain this text' },
    kind: { type: 'string', value: 'KIND', help: 'only pods owned by an object of this kind' },
    name: { type: 'string', value: 'NAME', help: 'only pods owned by an object of this name' },
    ...applicationFlags,
  },
  examples: ['app logs web', 'app logs web -f --tail 20', 'app logs web --kind Deployment --name web -c nginx'],
});

export const appExplain = defineCommand({
  ...one,
  name: 'app explain',
  aliases: ['explain'],
  summary: 'explain its state and what to do about it',
  about: `Explains in plain sentences: what is out of sync, what is unhealthy and which object causes it, what a running sync waits for, what a sync window, the
project or the source prevents, and the next step.`,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json'],
      help: 'output format; text by default',
    },
    ...applicationFlags,
  },
  examples: ['app explain web'],
});

export const appTerminate = defineCommand({
  ...one,
  name: 'app terminate',
  aliases: ['app terminate-op'],
  summary: 'terminate the running sync',
  about: 'Deletes running hooks and keeps what was applied. The sync ends as Failed.',
  flags: { async: { type: 'boolean', help: 'do not wait until it has ended' }, ...timeoutFlag, ...applicationFlags },
  examples: ['app terminate web'],
  codes: { 4: 'timeout' },
});

export const appRefresh = defineCommand({
  ...one,
  name: 'app refresh',
  summary: 'refresh an Application now',
  about: 'Asks the controller to read the source and the live state now, and waits until it has.',
  flags: { hard: { type: 'boolean', help: 'without cached manifests' }, ...timeoutFlag, ...applicationFlags },
  examples: ['app refresh web', 'app refresh web --hard'],
  codes: { 4: 'timeout: the controller may not be running' },
});
