import type { Application, ResourceStatus } from '@fairlead/api';
import { ageOf } from '../duration.ts';
import { visible } from '../terminal/style.ts';
import { nameOf } from './find.ts';
import { initiator } from './operation.ts';
import type { TreeNode } from './owner-tree.ts';
import { syncView } from './sync-view.ts';
import {
  clusterText,
  healthWord,
  isAutomated,
  isBusy,
  objectText,
  shortRevision,
  sourcesOf,
  sourceText,
  syncWord,
} from './words.ts';

/** Something that is so, because of what is below it. */
export interface Reason {
  readonly text: string;
  readonly because: readonly Reason[];
}

/** One question with its answer, and what to do about it. */
export interface Chapter {
  readonly title: string;
  readonly reasons: readonly Reason[];
  readonly next: readonly string[];
}

export interface ExplainInput {
  readonly application: Application;
  /** Objects with what they own, as they are now. */
  readonly tree: readonly TreeNode[];
  /** Why the project's windows keep an automated sync, or one by hand, from running. */
  readonly window?: { readonly automated?: string; readonly manual?: string };
  /** Why the project does not permit it, when it does not exist. */
  readonly projectMissing?: boolean;
  readonly now: number;
}

const reason = (text: string, ...because: Reason[]): Reason => ({ text: visible(text), because });

/** How it is, in one sentence. */
export function headline(application: Application): string {
  const name = nameOf(application);
  if (application.metadata.deletionTimestamp) return `${name} is being deleted.`;
  const well = syncWord(application) === 'Synced' && healthWord(application) === 'Healthy';
  const busy = isBusy(application) ? ', and a sync is under way' : '';
  if (well && !busy) return `${name} is Synced and Healthy: the cluster is as the source says, and everything runs.`;
  return `${name} is ${syncWord(application)} and ${healthWord(application)}${busy}.`;
}

/** The chain of reasons: why it is not as it should be. Empty when all is well. */
export function explain(input: ExplainInput): Chapter[] {
  const { application } = input;
  if (!application.status?.sync)
    return [
      {
        title: 'Why nothing is known',
        reasons: [reason('No controller has looked at it yet.')],
        next: ['see that the application controller runs: fairlead up, or its pod in the cluster'],
      },
    ];
  if (application.metadata.deletionTimestamp) return [deletion(input)];
  return [
    sourceTrouble(input),
    running(input),
    lastFailure(input),
    notSynced(input),
    notHealthy(input),
    notes(input),
  ].filter((chapter) => chapter !== undefined);
}

const conditionsOf = ({ application }: ExplainInput, pattern: RegExp): string[] =>
  (application.status?.conditions ?? []).filter(({ type }) => pattern.test(type)).map(({ message }) => message);

function deletion(input: ExplainInput): Chapter {
  const { application, tree } = input;
  const troubles = conditionsOf(input, /^DeletionError$/u);
  const held = tree.flatMap(({ id, live }) => {
    if (!live) return [];
    const { finalizers = [], deletionTimestamp } = live.metadata;
    if (deletionTimestamp && finalizers.length > 0)
      return [reason(`${objectText(id)} waits for its finalizers ${finalizers.join(', ')}.`)];
    return [reason(`${objectText(id)} is still there.`)];
  });
  const own = application.metadata.finalizers ?? [];
  return {
    title: 'Why it is still there',
    reasons: [
      ...troubles.map((text) => reason(text)),
      ...(held.length > 0
        ? held
        : troubles.length > 0
          ? []
          : [reason(`It waits for its finalizers ${own.join(', ') || '(none)'}.`)]),
    ],
    next:
      held.length > 0 && held.some(({ text }) => text.includes('finalizers'))
        ? ['who set the finalizer must take it away: see that its controller runs']
        : [`wait: fairlead app wait ${nameOf(application)} --delete`],
  };
}

/** Spec, project and source come first: without them nothing else can be right. */
function sourceTrouble(input: ExplainInput): Chapter | undefined {
  const { application } = input;
  const name = nameOf(application);
  const wrong = conditionsOf(input, /^(InvalidSpecError|UnknownError)$/u);
  const source = conditionsOf(input, /^ComparisonError$/u);
  if (wrong.length === 0 && source.length === 0 && !input.projectMissing) return undefined;
  const project = application.spec.project || 'default';
  const next = new Set<string>();
  for (const text of [...wrong, ...source]) next.add(remedyFor(text, application));
  if (input.projectMissing)
    next.add(`make the project ${project}, or choose another: fairlead app set ${name} --project default`);
  return {
    title: source.length > 0 && wrong.length === 0 ? 'Why it cannot be compared' : 'Why it cannot be looked at',
    reasons: [
      ...wrong.map((text) => reason(sentence(text))),
      ...source.map((text) =>
        reason(sentence(text), ...sourcesOf(application).map((one) => reason(`The source is ${sourceText(one)}.`))),
      ),
      ...(input.projectMissing && wrong.length === 0 ? [reason(`The project ${project} does not exist.`)] : []),
    ],
    next: [...next],
  };
}

const remedies: readonly (readonly [RegExp, (name: string, application: Application) => string])[] = [
  [
    /referencing project|project .* does not exist/iu,
    (name) => `choose a project that exists: fairlead get projects, fairlead app set ${name} --project NAME`,
  ],
  [
    /repo .* is not permitted/iu,
    (_, { spec }) =>
      `permit the repository in spec.sourceRepos of project ${spec.project || 'default'}, or use another project`,
  ],
  [
    /destination .* do not match/iu,
    (_, { spec }) =>
      `permit the destination in spec.destinations of project ${spec.project || 'default'}, or use another project`,
  ],
  [
    /no cluster|cluster .* (does not exist|not found)/iu,
    (name) => `see which clusters there are: fairlead get clusters; then fairlead app set ${name} --dest-name NAME`,
  ],
  [
    /credential|authenti|password|denied|permission/iu,
    () =>
      'give credentials for the repository: a Secret in argocd with the label argocd.argoproj.io/secret-type: repository; see fairlead get repos',
  ],
  [
    /no such path|does not exist at this revision/iu,
    (name) => `set the folder that there is: fairlead app set ${name} --path DIR`,
  ],
  [
    /no such (branch|tag|revision)|revision .* (not found|does not exist)|could not be resolved/iu,
    (name) => `set a revision that there is: fairlead app set ${name} --revision REV`,
  ],
  [
    /timed? ?out|unreachable|connect|resolve host|ENOTFOUND|ECONN/iu,
    (name) => `see that the repository can be reached from the controller, then fairlead app refresh ${name}`,
  ],
];

function remedyFor(text: string, application: Application): string {
  const name = nameOf(application);
  const found = remedies.find(([pattern]) => pattern.test(text));
  return found
    ? found[1](name, application)
    : `put it right in the source and commit, or in the Application: fairlead app edit ${name}`;
}

const sentence = (text: string): string => (/[.!?:]$/u.test(text) ? text : `${text}.`);

/** What a sync that runs waits for, and which object that is. */
function running({ application, tree, now }: ExplainInput): Chapter | undefined {
  if (!isBusy(application)) return undefined;
  const name = nameOf(application);
  const state = application.status?.operationState;
  const begun = state && ['Running', 'Terminating'].includes(state.phase);
  if (!begun)
    return {
      title: 'What the sync waits for',
      reasons: [reason(`It was asked for by ${initiator(application.operation ?? {})} and has not begun.`)],
      next: ['see that the application controller runs'],
    };
  const view = syncView(application, state);
  const at = view.groups.find(({ rows }) => rows.some((row) => row.state === 'running'));
  const held = (at?.rows ?? []).filter((row) => row.state === 'running');
  const waiting = view.groups.flatMap(({ rows }) => rows.filter((row) => row.state === 'waiting')).length;
  const where = at ? `${at.phase}${at.wave === 0 ? '' : ` wave ${at.wave}`}` : '';
  const because = held.map((row) =>
    reason(
      `${row.hook ? 'The hook ' : ''}${row.object} is not ready${row.says ? `: ${row.says}` : ''}.`,
      ...below(tree, row.object),
    ),
  );
  return {
    title: 'What the sync waits for',
    reasons: [
      reason(
        `It runs for ${ageOf(state.startedAt, now)}, started by ${initiator(state.operation)}${where ? `, and is in ${where}` : ''}${state.message ? `: ${state.message}` : ''}.`,
        ...because,
      ),
      ...(waiting > 0 && because.length > 0 ? [reason(`${waiting} objects of later waves have not begun.`)] : []),
      ...(state.retryCount ? [reason(`It has been tried ${state.retryCount} times.`)] : []),
    ],
    next:
      held.length > 0
        ? [
            `fairlead app logs ${name} and fairlead app events ${name} show what they do; fairlead app terminate ${name} gives up`,
          ]
        : [`watch it: fairlead app wait ${name} --operation`],
  };
}

/** The reasons below an object that is known by its words. */
function below(tree: readonly TreeNode[], object: string): Reason[] {
  const node = tree.find(({ id }) => objectText(id) === object);
  return node ? unwellBelow(node) : [];
}

function lastFailure({ application, now }: ExplainInput): Chapter | undefined {
  const state = application.status?.operationState;
  if (!state || isBusy(application) || (state.phase !== 'Failed' && state.phase !== 'Error')) return undefined;
  const name = nameOf(application);
  const failed = (state.syncResult?.resources ?? []).filter(
    ({ status, hookPhase }) => status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error',
  );
  const terminated = /terminated/u.test(state.message ?? '');
  return {
    title: 'Why the last sync failed',
    reasons: [
      reason(
        sentence(
          `${ageOf(state.finishedAt, now)} ago, started by ${initiator(state.operation)}: ${state.message ?? 'no reason is given'}`,
        ),
        ...failed.map(({ kind, namespace, name: object, message = '', hookType }) =>
          reason(
            sentence(
              `${hookType ? `The ${hookType} hook ` : ''}${objectText({ kind, namespace, name: object })}: ${message}`,
            ),
          ),
        ),
      ),
      ...(isAutomated(application) && !terminated && syncWord(application) === 'OutOfSync'
        ? [reason('Automated sync does not try the same commit again until something changes.')]
        : []),
    ],
    next: failed.some(({ hookType }) => hookType)
      ? [
          `fairlead app logs ${name} shows what the hook said; put it right, commit, or try again: fairlead app sync ${name}`,
        ]
      : [`put it right in the source and commit; or try again: fairlead app sync ${name}`],
  };
}

function notSynced(input: ExplainInput): Chapter | undefined {
  const { application, window } = input;
  if (syncWord(application) !== 'OutOfSync') return undefined;
  const name = nameOf(application);
  const differing = (application.status?.resources ?? []).filter(({ status }) => status === 'OutOfSync');
  const prunes = differing.filter(({ requiresPruning }) => requiresPruning);
  const missing = differing.filter(({ health, requiresPruning }) => health?.status === 'Missing' && !requiresPruning);
  const changed = differing.filter((one) => !prunes.includes(one) && !missing.includes(one));
  const said = conditionsOf(input, /^OutOfSync$/u)[0] ?? '';
  const listed = (all: readonly ResourceStatus[]): string =>
    `${all.slice(0, 3).map(objectText).join(', ')}${all.length > 3 ? ` and ${all.length - 3} more` : ''}`;
  const reasons: Reason[] = [];
  if (changed.length > 0) {
    const fields = /differs in (.*?)(?:; and \d+ more)?$/u.exec(said)?.[1];
    reasons.push(
      reason(
        `${listed(changed)} ${changed.length === 1 ? 'differs' : 'differ'} from the source${fields && changed.length === 1 ? ` in ${fields}` : ''}.`,
      ),
    );
  }
  if (missing.length > 0)
    reasons.push(
      reason(
        `${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} in the source and not in ${clusterText(application)}.`,
      ),
    );
  if (prunes.length > 0)
    reasons.push(
      reason(`${listed(prunes)} ${prunes.length === 1 ? 'is' : 'are'} no longer in the source, and still there.`),
    );
  if (reasons.length === 0 && said) reasons.push(reason(sentence(said)));
  const next: string[] = [];
  const held = whyNotByItself(input, prunes.length === differing.length);
  reasons.push(...held.reasons);
  next.push(...held.next);
  if (window?.manual) next.push('a sync by hand is held by the window too');
  else if (prunes.length > 0)
    next.push(`fairlead app diff ${name} shows it, fairlead app sync ${name} --prune does it`);
  else next.push(`fairlead app diff ${name} shows it, fairlead app sync ${name} does it`);
  return { title: 'Why it is not in sync', reasons, next };
}

/** Why nobody has synced it yet. */
function whyNotByItself(
  { application, window }: ExplainInput,
  onlyPrunes: boolean,
): { reasons: Reason[]; next: string[] } {
  const name = nameOf(application);
  const { automated } = application.spec.syncPolicy ?? {};
  if (!isAutomated(application))
    return {
      reasons: [
        reason(
          automated?.enabled === false
            ? 'Automated sync is switched off.'
            : 'It is synced by hand, and nobody has done so since.',
        ),
      ],
      next: [],
    };
  if (window?.automated)
    return { reasons: [reason(sentence(`A sync window holds it: ${window.automated}`))], next: [] };
  if (onlyPrunes && !automated?.prune)
    return {
      reasons: [reason('Automated sync deletes nothing here: pruning is not switched on.')],
      next: [`let it prune by itself: fairlead app set ${name} --auto-prune`],
    };
  const errors = (application.status?.conditions ?? []).filter(({ type }) => type === 'SyncError');
  if (errors.length > 0) return { reasons: errors.map(({ message }) => reason(sentence(message))), next: [] };
  const synced = application.status?.operationState?.syncResult?.revision;
  const now = application.status?.sync?.revision;
  if (synced && synced === now && !automated?.selfHeal && !isBusy(application))
    return {
      reasons: [
        reason(`${shortRevision(now)} was synced, and the cluster was changed since; self-heal is not switched on.`),
      ],
      next: [`let it mend that by itself: fairlead app set ${name} --self-heal`],
    };
  return { reasons: [], next: [] };
}

const rank = ['Unknown', 'Degraded', 'Missing', 'Progressing', 'Suspended'];

function notHealthy(input: ExplainInput): Chapter | undefined {
  const { application, tree } = input;
  const word = healthWord(application);
  if (word === 'Healthy') return undefined;
  const name = nameOf(application);
  const unwell = tree
    .filter(({ health, status }) => health && health.status !== 'Healthy' && !status?.hook)
    .sort((a, b) => rank.indexOf(a.health!.status) - rank.indexOf(b.health!.status));
  // What is not there at all is told with the sync.
  const told =
    syncWord(application) === 'OutOfSync' ? unwell.filter(({ health }) => health?.status !== 'Missing') : unwell;
  const said = conditionsOf(input, /^NotHealthy$/u);
  if (told.length === 0 && unwell.length > 0) return undefined;
  const reasons =
    told.length > 0
      ? told.slice(0, 5).map((node) => reason(nodeSentence(node), ...unwellBelow(node)))
      : said.map((text) => reason(sentence(text)));
  if (told.length > 5) reasons.push(reason(`${told.length - 5} more are not well.`));
  if (reasons.length === 0 && word === 'Unknown') return undefined;
  return { title: `Why it is ${word}`, reasons, next: healthAdvice(told, name, word) };
}

const nodeSentence = ({ id, health }: TreeNode): string =>
  sentence(`${objectText(id)} is ${health?.status}${health?.message ? `: ${health.message}` : ''}`);

/** What below an object is not well: the deepest is the cause. */
function unwellBelow({ children }: TreeNode): Reason[] {
  return children.flatMap((child) => {
    const deeper = unwellBelow(child);
    const pod = child.live?.kind === 'Pod' ? podTrouble(child) : undefined;
    if (pod) return [reason(pod)];
    if (child.health && child.health.status !== 'Healthy') return [reason(nodeSentence(child), ...deeper)];
    return deeper.length > 0 ? [reason(`${objectText(child.id)} has pods that are not ready.`, ...deeper)] : [];
  });
}

interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}
interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode?: number; readonly reason?: string };
  };
  readonly lastState?: { readonly terminated?: { readonly exitCode?: number; readonly reason?: string } };
}

/** What keeps a pod from being ready. */
function podTrouble({ id, live }: TreeNode): string | undefined {
  const { status = {} } = live as unknown as { status?: PodStatus };
  const pod = objectText(id);
  const unscheduled = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
  if (unscheduled) return sentence(`${pod} has no node: ${unscheduled.message ?? 'no reason is given'}`);
  for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
    const { waiting, terminated } = one.state ?? {};
    const before = one.lastState?.terminated;
    if (waiting && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
      const ended =
        before?.exitCode === undefined
          ? ''
          : `; it ended with ${before.exitCode} and was started ${one.restartCount ?? 0} times again`;
      return sentence(
        `Container ${one.name} of ${pod} waits: ${waiting.reason}${waiting.message ? `, ${waiting.message}` : ''}${ended}`,
      );
    }
    if (terminated && terminated.exitCode !== 0)
      return sentence(
        `Container ${one.name} of ${pod} ended with ${terminated.exitCode}${terminated.reason ? ` (${terminated.reason})` : ''}`,
      );
  }
  const notReady = status.containerStatuses?.find(({ ready }) => ready === false);
  if (notReady && status.phase !== 'Succeeded')
    return sentence(`Container ${notReady.name} of ${pod} is not ready yet`);
  return undefined;
}

function healthAdvice(unwell: readonly TreeNode[], name: string, word: string): string[] {
  const texts = JSON.stringify(unwell.map((node) => unwellBelow(node)));
  if (/ImagePull|ErrImage|InvalidImageName/u.test(texts))
    return ['see that the image and its tag exist, and that the node may pull it; then commit the right one'];
  if (/CrashLoop|ended with/u.test(texts)) return [`see what the container says: fairlead app logs ${name} --previous`];
  if (/has no node/u.test(texts))
    return ['give the cluster room, or ask for less: resources, selectors and taints decide where a pod may run'];
  if (word === 'Progressing') return [`it is on its way: fairlead app wait ${name} --health`];
  if (word === 'Suspended') return ['somebody has paused it: resume it where it was paused'];
  return [`fairlead app events ${name} --warnings and fairlead app logs ${name} show more`];
}

/** What is worth knowing though nothing is broken by it. */
function notes(input: ExplainInput): Chapter | undefined {
  const warnings = conditionsOf(input, /Warning$/u);
  if (warnings.length === 0) return undefined;
  return { title: 'Worth knowing', reasons: warnings.map((text) => reason(sentence(text))), next: [] };
}
