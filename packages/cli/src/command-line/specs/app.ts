import { defineCommand } from '../command.ts';
import { applicationFlags, selectorFlag, timeoutFlag, yesFlag } from './shared-flags.ts';
import { specFlags } from './source-flags.ts';

const many = Number.POSITIVE_INFINITY;
const one = { args: 'NAME', count: [1, 1], completes: 'app' } as const;

export const appGet = defineCommand({
  ...one,
  name: 'app get',
  summary: 'one Application with its objects and what is wrong',
  about: 'The same as fairlead get app NAME.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['table', 'wide', 'json', 'yaml', 'name', 'tree'],
      help: 'how: table when absent',
    },
    refresh: { type: 'boolean', help: 'compare with the source first' },
    'hard-refresh': { type: 'boolean', help: 'the same, and render anew' },
    ...applicationFlags,
  },
  examples: ['app get web', 'app get web --refresh', 'app get web -o yaml'],
});

export const appCreate = defineCommand({
  name: 'app create',
  args: '[NAME]',
  count: [0, 1],
  summary: 'make an Application',
  about: `Makes an Application from flags, or from a file with -f, on which flags are laid. What is wrong with it is said before anything is made.`,
  flags: {
    ...specFlags,
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      help: 'an Application as YAML or JSON; - for standard input',
    },
    label: { type: 'list', short: 'l', value: 'K=V', help: 'a label' },
    annotation: { type: 'list', aliases: ['annotations'], value: 'K=V', help: 'an annotation' },
    'set-finalizer': { type: 'boolean', help: 'its objects go when it is deleted, however it is deleted' },
    upsert: { type: 'boolean', help: 'change it when it is there and differs' },
    validate: { type: 'boolean', help: 'check the project first; --no-validate does not' },
    'dry-run': { type: 'boolean', help: 'print what would be made, and make nothing' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['yaml', 'json', 'name'],
      help: 'print what was made',
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
  summary: 'change parts of an Application',
  about: 'Changes what the flags say and leaves everything else as it is. What was changed is shown.',
  flags: {
    ...specFlags,
    'source-position': { type: 'string', value: 'N', help: 'of several sources, the one to change, counted from 1' },
    label: { type: 'list', short: 'l', value: 'K=V', help: 'a label; K- takes one away' },
    annotation: { type: 'list', aliases: ['annotations'], value: 'K=V', help: 'an annotation; K- takes one away' },
    'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' },
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
  summary: 'change an Application in an editor',
  about: `Opens the spec in $KUBE_EDITOR, $VISUAL or $EDITOR. What is wrong with it afterwards is said in the file, which is opened again; nothing is
changed until it is right, and an unchanged or empty file changes nothing.`,
  flags: { ...applicationFlags },
  examples: ['app edit web'],
});

export const appDelete = defineCommand({
  name: 'app delete',
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'delete an Application, and its objects',
  about: `Says what will be deleted and asks first; where nobody can answer, --yes is needed. Objects go with the Application unless --no-cascade. Waits
until all is gone.`,
  flags: {
    cascade: { type: 'boolean', help: 'delete its objects too, the default; --no-cascade leaves them where they are' },
    'propagation-policy': {
      type: 'string',
      short: 'p',
      value: 'HOW',
      choices: ['foreground', 'background'],
      help: 'whether what the objects own goes before them or after them; foreground when absent',
    },
    wait: { type: 'boolean', help: 'wait until all is gone, the default; --no-wait does not' },
    ...timeoutFlag,
    ...yesFlag,
    ...selectorFlag,
    ...applicationFlags,
  },
  examples: ['app delete web', 'app delete web --no-cascade --yes', 'app delete -l team=shop'],
  codes: { 4: 'not all was gone in time' },
});

export const appSync = defineCommand({
  name: 'app sync',
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'make the cluster as the source says',
  about: `Starts a sync and shows phases, waves, hooks and objects as they go, until it has ended. It is followed by the operation's own id: a sync that
somebody else starts meanwhile is not taken for this one.`,
  flags: {
    revision: { type: 'string', value: 'REV', help: 'sync to this revision; not with automated sync' },
    revisions: { type: 'list', value: 'REV', help: 'the same for several sources, in their order' },
    local: {
      type: 'string',
      value: 'DIR',
      completes: 'folder',
      help: 'as this folder is, instead of the source; not with automated sync',
    },
    prune: { type: 'boolean', help: 'delete what is no longer in the source' },
    'dry-run': { type: 'boolean', help: 'ask the cluster and change nothing' },
    force: { type: 'boolean', help: 'delete and make again what cannot be changed' },
    resource: {
      type: 'list',
      value: 'G:K:NAME',
      help: 'only these objects, as GROUP:KIND:[NAMESPACE/]NAME with * for any; !G:K:NAME leaves some out',
    },
    'out-of-sync-only': { type: 'boolean', aliases: ['apply-out-of-sync-only'], help: 'apply only what differs' },
    strategy: {
      type: 'string',
      value: 'HOW',
      choices: ['hook', 'apply'],
      help: 'apply runs no hooks; hook when absent',
    },
    'sync-option': {
      type: 'list',
      value: 'OPTION',
      completes: 'sync-option',
      help: 'an option for this sync beside those of the Application',
    },
    'server-side': { type: 'boolean', help: 'the same as --sync-option ServerSideApply=true' },
    replace: { type: 'boolean', help: 'the same as --sync-option Replace=true' },
    'retry-limit': { type: 'string', value: 'N', help: 'how often to try again when it fails' },
    'retry-backoff-duration': { type: 'string', value: 'TIME', help: 'the first wait' },
    'retry-backoff-factor': { type: 'string', value: 'N', help: 'what each wait is multiplied by' },
    'retry-backoff-max-duration': { type: 'string', value: 'TIME', help: 'no wait is longer' },
    'retry-refresh': { type: 'boolean', help: 'take the newest commit on a retry' },
    info: { type: 'list', value: 'NAME=TEXT', help: 'a note that is kept with the operation' },
    async: { type: 'boolean', help: 'start it and do not wait' },
    health: { type: 'boolean', help: 'also wait until it is Healthy; exit code 3 when it is Degraded instead' },
    ...timeoutFlag,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['json', 'yaml'],
      help: 'print the Application at the end',
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
  codes: { 3: 'synced, and Degraded, with --health', 4: 'not ended in time; the sync goes on' },
});

export const appWait = defineCommand({
  name: 'app wait',
  args: 'NAME…',
  count: [0, many],
  completes: 'app',
  summary: 'wait until an Application is as it should be',
  about: `Without flags: until no operation runs, and it is Synced and Healthy. An Application that is Degraded, and stays so while nothing is under way,
ends the wait with exit code 3.`,
  flags: {
    sync: { type: 'boolean', help: 'until it is Synced' },
    health: { type: 'boolean', help: 'until it is Healthy' },
    operation: { type: 'boolean', help: 'until no operation runs or is asked for' },
    suspended: { type: 'boolean', help: 'Suspended will do for Healthy' },
    degraded: { type: 'boolean', help: 'until it is Degraded' },
    delete: { type: 'boolean', help: 'until it is gone' },
    resource: { type: 'list', value: 'G:K:NAME', help: 'only look at these objects' },
    ...timeoutFlag,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['json', 'yaml'],
      help: 'print the Application at the end',
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
  codes: { 3: 'it is Degraded', 4: 'not in time' },
});

export const appDiff = defineCommand({
  ...one,
  name: 'app diff',
  summary: 'what a sync would change',
  about: `Compares what the source says with what is in the cluster, object by object and field by field. What Secrets hold is not shown. Where the
source cannot be read from this machine, what the controller found is told instead.`,
  flags: {
    revision: { type: 'string', value: 'REV', help: 'as the source is at this revision' },
    revisions: { type: 'list', value: 'REV', help: 'the same for several sources, in their order' },
    local: { type: 'string', value: 'DIR', completes: 'folder', help: 'as this folder is, instead of the source' },
    'exit-code': { type: 'boolean', help: 'end with 2 on a difference, the default; --no-exit-code ends with 0' },
    ...applicationFlags,
  },
  examples: ['app diff web', 'app diff web --revision v2', 'app diff web --local deploy/web'],
  codes: { 2: 'there is a difference' },
});

export const appHistory = defineCommand({
  ...one,
  name: 'app history',
  summary: 'past syncs, which rollback can go back to',
  about: 'Lists the syncs that are kept, with the id that a rollback names.',
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['table', 'wide', 'id', 'json', 'yaml'],
      help: 'how: table when absent',
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
  summary: 'go back to a past sync',
  about: `Syncs to what was live at a past sync: the one before the last, or the one with the id. Shows what would change and asks first. Not with
automated sync, which would undo it at once.`,
  flags: {
    prune: { type: 'boolean', help: 'delete what was not there then' },
    'dry-run': { type: 'boolean', help: 'show what would change, and change nothing' },
    async: { type: 'boolean', help: 'start it and do not wait' },
    ...timeoutFlag,
    ...yesFlag,
    ...applicationFlags,
  },
  examples: ['app rollback web', 'app rollback web 3 --prune --yes', 'app rollback web 3 --dry-run'],
  codes: { 4: 'not ended in time; it goes on' },
});

export const appTree = defineCommand({
  ...one,
  name: 'app tree',
  summary: 'its objects and what they own, with their health',
  about: 'Objects as the source brings them, and below each what it owns: ReplicaSets, Pods, and so on.',
  flags: {
    output: { type: 'string', short: 'o', value: 'FORM', choices: ['tree', 'json'], help: 'how: tree when absent' },
    ...applicationFlags,
  },
  examples: ['app tree web'],
});

export const appManifests = defineCommand({
  ...one,
  name: 'app manifests',
  summary: 'its objects as YAML, from the source or as they are live',
  about: 'What Secrets hold is not shown.',
  flags: {
    source: {
      type: 'string',
      value: 'WHERE',
      choices: ['git', 'live'],
      help: 'git, what the source says (default), or live',
    },
    revision: { type: 'string', value: 'REV', help: 'as the source is at this revision' },
    revisions: { type: 'list', value: 'REV', help: 'the same for several sources, in their order' },
    output: { type: 'string', short: 'o', value: 'FORM', choices: ['yaml', 'json'], help: 'how: yaml when absent' },
    ...applicationFlags,
  },
  examples: ['app manifests web', 'app manifests web --source live', 'app manifests web --revision v2 -o json'],
});

export const appEvents = defineCommand({
  ...one,
  name: 'app events',
  summary: 'what happened to it and to its objects',
  about: 'Events about the Application, its objects and what they own, the latest last.',
  flags: {
    watch: { type: 'boolean', short: 'w', help: 'go on and show new ones' },
    warnings: { type: 'boolean', help: 'only warnings' },
    output: { type: 'string', short: 'o', value: 'FORM', choices: ['table', 'json'], help: 'how: table when absent' },
    ...applicationFlags,
  },
  examples: ['app events web', 'app events web --warnings -w'],
});

export const appLogs = defineCommand({
  ...one,
  name: 'app logs',
  summary: 'what its containers write',
  about: 'Lines of all containers of all its pods, each with the pod that it comes from.',
  flags: {
    follow: { type: 'boolean', short: 'f', help: 'go on as lines come' },
    container: { type: 'string', short: 'c', value: 'NAME', help: 'only of containers with this name' },
    tail: { type: 'string', value: 'N', help: 'the last N lines of each; all when absent' },
    since: { type: 'string', value: 'TIME', help: 'lines that are no older: 10m' },
    previous: { type: 'boolean', help: 'of the container before the last restart' },
    timestamps: { type: 'boolean', help: 'with the time of each line' },
    filter: { type: 'string', value: 'TEXT', help: 'only lines with this text' },
    kind: { type: 'string', value: 'KIND', help: 'only pods below an object of this kind' },
    name: { type: 'string', value: 'NAME', help: 'only pods below an object of this name' },
    ...applicationFlags,
  },
  examples: ['app logs web', 'app logs web -f --tail 20', 'app logs web --kind Deployment --name web -c nginx'],
});

export const appExplain = defineCommand({
  ...one,
  name: 'app explain',
  summary: 'why it is as it is, and what to do about it',
  about: `The chain of reasons in plain sentences: what is not in sync, what is not healthy and which object below holds it, what a running sync waits
for, what a window, the project or the source keeps from happening, and the next step.`,
  flags: {
    output: { type: 'string', short: 'o', value: 'FORM', choices: ['text', 'json'], help: 'how: text when absent' },
    ...applicationFlags,
  },
  examples: ['app explain web'],
});

export const appTerminate = defineCommand({
  ...one,
  name: 'app terminate',
  aliases: ['app terminate-op'],
  summary: 'stop the sync that is under way',
  about: 'Hooks that run are deleted; what was applied stays. The sync ends as Failed.',
  flags: { async: { type: 'boolean', help: 'do not wait until it has ended' }, ...timeoutFlag, ...applicationFlags },
  examples: ['app terminate web'],
  codes: { 4: 'not ended in time' },
});

export const appRefresh = defineCommand({
  ...one,
  name: 'app refresh',
  summary: 'compare with the source now',
  about: 'Asks the controller to look at the source now, and waits until it has.',
  flags: { hard: { type: 'boolean', help: 'render anew too' }, ...timeoutFlag, ...applicationFlags },
  examples: ['app refresh web', 'app refresh web --hard'],
  codes: { 4: 'not in time: the controller may not be running' },
});
