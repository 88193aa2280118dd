import type { Application, OperationState } from '@fairlead/api';
import { syncView } from '@fairlead/app-controller/explain';
import { type ApiClient, type Clock, systemClock } from '@fairlead/kube';
import { exitCodes } from '../../command-line/command.ts';
import { ageOf, formatAge } from '../../duration.ts';
import { Board } from '../../terminal/board.ts';
import { visible } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { keyOf, nameOf } from '../selection/find-application.ts';
import { healthWord, shortRevision, syncWord } from '../tables/status-text.ts';
import { interrupted, type TimeLimit, timeLimit } from '../watch/time-limit.ts';
import { Waiter } from '../watch/wait.ts';
import { follow } from '../watch/watch-application.ts';
import { type Standing, type StartedOperation, standingOf } from './operation.ts';
import { SyncLog, syncFrame } from './sync-lines.ts';

export interface FollowOperationOptions {
  readonly timeoutMs: number | undefined;
  /** Continue until it is Healthy. */
  readonly health: boolean;
  readonly clock?: Clock;
}

/** How long the controller may take to start an operation. */
const untakenMs = 10_000;

interface Ending {
  readonly code: number;
  readonly line: string;
  readonly application?: Application;
}

/** Shows operations until they have finished, each identified by its id. Returns the worst exit code and the last states. */
export async function followOperations(
  client: ApiClient,
  terminal: Terminal,
  started: readonly StartedOperation[],
  options: FollowOperationOptions,
): Promise<{ readonly code: number; readonly applications: readonly Application[] }> {
  const limit = timeLimit(terminal.stopped(), options.timeoutMs);
  const board = new Board(terminal);
  try {
    const endings = await Promise.all(
      started.map((one) => followOne(client, terminal, board, one, started.length, limit, options)),
    );
    board.end();
    for (const { line } of endings) terminal.write(`${line}\n`);
    return {
      code: Math.max(...endings.map(({ code }) => code)),
      applications: endings.flatMap(({ application }) => application ?? []),
    };
  } finally {
    limit.end();
    board.end();
  }
}

async function followOne(
  client: ApiClient,
  { style }: Terminal,
  board: Board,
  { id, application: before }: StartedOperation,
  count: number,
  limit: TimeLimit,
  { health, timeoutMs, clock = systemClock }: FollowOperationOptions,
): Promise<Ending> {
  const name = nameOf(before);
  const log = new SyncLog();
  const waiter = new Waiter({ sync: false, health, operation: true, suspended: false, degraded: false }, clock);
  const began = clock.now();
  let warned = false;
  let last = before;
  for await (const application of follow(client, keyOf(before), { signal: limit.signal, clock, pollMs: 1_000 })) {
    if (!application || application.metadata.uid !== before.metadata.uid)
      return { code: exitCodes.error, line: style.bad(`✖ ${name} was deleted in the meantime`) };
    last = application;
    const standing = standingOf(application, id);
    if (standing.at === 'lost') return { code: exitCodes.error, line: style.bad(`✖ ${name}: ${standing.why}`) };
    const view = syncView(application, stateOf(standing));
    const idle = standing.at === 'asked' && clock.now() - began > untakenMs;
    const shown = idle ? { ...view, message: 'it was not started: check that the application controller runs' } : view;
    board.draw(name, syncFrame(name, shown, style, board.room(count)));
    board.print(log.lines(name, view));
    if (idle && !warned) {
      warned = true;
      board.print([`${name}: ${shown.message}`]);
    }
    if (standing.at !== 'ended') continue;
    const { state } = standing;
    if (state.phase !== 'Succeeded') return { ...failure(name, state, style), application };
    const result = waiter.update(application);
    if (result === 'degraded' || result === 'invalid')
      return {
        code: result === 'degraded' ? exitCodes.degraded : exitCodes.error,
        line: style.bad(
          `✖ ${name} was synced and is ${result === 'degraded' ? 'Degraded' : 'invalid'}: see fairlead app explain ${name}`,
        ),
        application,
      };
    if (result === 'met')
      return { code: exitCodes.ok, line: success(application, name, state, style.good('✔')), application };
  }
  const waits = health && standingOf(last, id).at === 'ended' ? `, ${waiter.last.missing.join(', ')}` : '';
  if (limit.expired)
    return {
      code: exitCodes.timeout,
      line: style.bad(
        `✖ timeout: the sync of ${name} did not finish in ${formatAge(timeoutMs ?? 0)}${waits}; it continues, see fairlead app explain ${name}`,
      ),
      application: last,
    };
  return { code: interrupted, line: `${name}: stopped watching; the sync continues`, application: last };
}

const stateOf = (standing: Standing): OperationState | undefined =>
  standing.at === 'running' || standing.at === 'ended' ? standing.state : undefined;

function success(application: Application, name: string, state: OperationState, sign: string): string {
  const { syncResult, operation } = state;
  const to = (syncResult?.revisions?.length ? syncResult.revisions : [syncResult?.revision ?? ''])
    .filter(Boolean)
    .map(shortRevision)
    .join(', ');
  const took = ageOf(state.startedAt, Date.parse(state.finishedAt ?? ''));
  const left = (syncResult?.resources ?? []).filter(({ status }) => status === 'PruneSkipped').length;
  const dry = operation.sync?.dryRun ? ' as a dry run, nothing was changed' : '';
  const prune = left > 0 ? `; ${left} no longer in the source, fairlead app sync ${name} --prune deletes them` : '';
  return `${sign} ${name} synced${to ? ` to ${to}` : ''}${dry} in ${took}: ${syncWord(application)}, ${healthWord(application)}${prune}`;
}

function failure(name: string, state: OperationState, style: Terminal['style']): Ending {
  const failed = (state.syncResult?.resources ?? []).filter(
    ({ status, hookPhase }) => status === 'SyncFailed' || hookPhase === 'Failed' || hookPhase === 'Error',
  );
  const details = failed.map(({ kind, name: object, message }) => `\n    ${kind} ${object}: ${visible(message ?? '')}`);
  const what = state.message === 'Operation terminated' ? 'was terminated' : `failed: ${visible(state.message ?? '')}`;
  return {
    code: exitCodes.error,
    line: `${style.bad(`✖ the sync of ${name} ${what}`)}${details.join('')}\n  see fairlead app explain ${name}`,
  };
}
