import type { OperationState } from '@fairlead/api';
import { remedyFor } from '@fairlead/engine';
import { ageOf, formatAge } from './age.ts';
import { initiator, isAutomated, isBusy, nameOf, objectText, syncWord } from './application-text.ts';
import { unwellBelow } from './health.ts';
import { type Chapter, type ExplainInput, type Reason, reason, sentence } from './reason.ts';
import { syncView } from './sync-view.ts';
import type { TreeNode } from './tree-node.ts';

/** The object that a running sync waits for. */
export function running({ application, tree, now }: ExplainInput): Chapter | undefined {
  if (!isBusy(application)) return undefined;
  const name = nameOf(application);
  const state = application.status?.operationState;
  const started = state && ['Running', 'Terminating'].includes(state.phase);
  if (!started)
    return {
      title: 'What the sync waits for',
      reasons: [reason(`It was requested by ${initiator(application.operation ?? {})} and has not started.`)],
      next: ['check that the application controller runs'],
    };
  const retry = retrying(state, name, now);
  if (retry) return retry;
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
        `It has been running for ${ageOf(state.startedAt, now)}, started by ${initiator(state.operation)}${where ? `, and is in ${where}` : ''}${state.message ? `: ${state.message.replace(/\.$/u, '')}` : ''}.`,
        ...because,
      ),
      ...(waiting > 0 && because.length > 0 ? [reason(`${waiting} objects of later waves have not started.`)] : []),
      ...(state.retryCount ? [reason(`It has been retried ${state.retryCount} times.`)] : []),
    ],
    next:
      held.length > 0
        ? [
            `fairlead app logs ${name} and fairlead app events ${name} show their progress; fairlead app terminate ${name} stops the sync`,
          ]
        : [`watch it: fairlead app wait ${name} --operation`],
  };
}

/** The reasons of an object, found by its description. */
function below(tree: readonly TreeNode[], object: string): Reason[] {
  const node = tree.find(({ id }) => objectText(id) === object);
  return node ? unwellBelow(node) : [];
}

/** A failed sync that will be retried: the time is in its message, as Argo CD writes it. */
function retrying(state: OperationState, name: string, now: number): Chapter | undefined {
  const match = /^(.*)\. Retrying attempt #(\d+) at (\S+?)\.?$/su.exec(state.message ?? '');
  if (!match) return undefined;
  const [, why = '', tries = '', at = ''] = match;
  const failed = failures(state);
  const wait = Date.parse(at) - now;
  const next = wait > 0 ? `, next in ${formatAge(wait)}` : '';
  return {
    title: 'Why the sync has not succeeded',
    reasons: [
      reason(sentence(why), ...failed),
      reason(
        `It was started by ${initiator(state.operation)} ${ageOf(state.startedAt, now)} ago, and is retried${next}: attempt ${tries}.`,
      ),
    ],
    next: [`fix the source and commit; fairlead app terminate ${name} stops the retries`],
  };
}

export function lastFailure({ application, now }: ExplainInput): Chapter | undefined {
  const state = application.status?.operationState;
  if (!state || isBusy(application) || (state.phase !== 'Failed' && state.phase !== 'Error')) return undefined;
  const name = nameOf(application);
  const failed = failures(state);
  const terminated = /terminated/u.test(state.message ?? '');
  return {
    title: 'Why the last sync failed',
    reasons: [
      reason(
        sentence(
          `${ageOf(state.finishedAt, now)} ago, started by ${initiator(state.operation)}: ${state.message ?? 'no reason was reported'}`,
        ),
        ...failed,
      ),
      ...(isAutomated(application) && !terminated && syncWord(application) === 'OutOfSync'
        ? [reason('Automated sync does not retry the same commit until something changes.')]
        : []),
    ],
    next: [remedy(name, failed)],
  };
}

function remedy(name: string, failed: readonly Reason[]): string {
  const says = (pattern: RegExp): boolean => failed.some(({ text }) => pattern.test(text));
  if (says(/^The \w+ hook /u))
    return `fairlead app logs ${name} shows the output of the hook; fix it and commit, or retry: fairlead app sync ${name}`;
  if (says(/set the sync option CreateNamespace=true/u))
    return `let it create its namespace: fairlead app set ${name} --sync-option CreateNamespace=true, then fairlead app sync ${name}`;
  return `fix the source and commit; or retry: fairlead app sync ${name}`;
}

const failures = (state: OperationState): Reason[] =>
  (state.syncResult?.resources ?? [])
    .filter(({ status, hookPhase }) => status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error')
    .map(({ kind, namespace, name, message = '', hookType }) => {
      const advice = remedyFor(message);
      return reason(
        sentence(
          `${hookType ? `The ${hookType} hook ` : ''}${objectText({ kind, namespace, name })}: ${message}${advice ? `: ${advice}` : ''}`,
        ),
      );
    });
