import type { Application } from '@fairlead/api';
import { systemClock } from '@fairlead/kube';
import { refuseUnwatched } from '../../applications/cluster/watched-namespaces.ts';
import {
  chooseApplications,
  keyFrom,
  keyOf,
  lookUp,
  nameOf,
  showKey,
} from '../../applications/selection/find-application.ts';
import { selectObjects } from '../../applications/selection/select-objects.ts';
import { printObject } from '../../applications/tables/print-object.ts';
import { healthWord, stateText, syncWord, whyText } from '../../applications/tables/status-text.ts';
import { interrupted, type TimeLimit, timeLimit } from '../../applications/watch/time-limit.ts';
import { Waiter } from '../../applications/watch/wait.ts';
import type { WaitConditions } from '../../applications/watch/wait-conditions.ts';
import { follow } from '../../applications/watch/watch-application.ts';
import type { ObjectClient } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appWait } from '../../command-line/specs/app.ts';
import { durationFlag, formatAge } from '../../duration.ts';
import { Board } from '../../terminal/board.ts';
import { quietTerminal } from '../../terminal/quiet.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Flags = Call<typeof appWait.flags>['flags'];

/** `fairlead app wait NAME…` */
export const run: Handler<typeof appWait> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  const shown = flags.output ? quietTerminal(terminal) : terminal;
  return withBackend(call, async ({ client }) => {
    const chosen = await applicationsFor(client, args, flags, shown);
    if (!flags.delete) for (const application of chosen) await refuseUnwatched(client, application);
    const limit = timeLimit(terminal.stopped(), timeoutMs);
    const board = new Board(shown);
    try {
      const endings = await Promise.all(
        chosen.map((one) => waitForOne(client, shown, board, one, flags, limit, timeoutMs)),
      );
      board.end();
      for (const { line } of endings) shown.write(`${line}\n`);
      for (const { last } of endings) if (flags.output && last) terminal.write(printObject(last, flags.output));
      return Math.max(0, ...endings.map(({ code }) => code));
    } finally {
      limit.end();
      board.end();
    }
  });
};

/** With --delete, an Application that does not exist is done. */
async function applicationsFor(client: ObjectClient, args: readonly string[], flags: Flags, terminal: Terminal) {
  if (!flags.delete) return chooseApplications(client, args, flags);
  const there: string[] = [];
  for (const name of args) {
    const key = keyFrom(name, flags.namespace);
    if (await lookUp(client, key)) there.push(name);
    else terminal.write(`${terminal.style.good('✔')} ${showKey(key)} deleted\n`);
  }
  return there.length === 0 && flags.selector === undefined ? [] : chooseApplications(client, there, flags);
}

const conditionsFrom = ({ sync, health, operation, suspended, degraded }: Flags): WaitConditions => {
  const some = sync || health || operation || suspended || degraded;
  return {
    sync: some ? (sync ?? false) : true,
    health: some ? (health ?? false) : true,
    operation: some ? (operation ?? false) : true,
    suspended: suspended ?? false,
    degraded: degraded ?? false,
  };
};

interface Ending {
  readonly code: number;
  readonly line: string;
  readonly last?: Application;
}

async function waitForOne(
  client: ObjectClient,
  { style }: Terminal,
  board: Board,
  first: Application,
  flags: Flags,
  limit: TimeLimit,
  timeoutMs: number | undefined,
): Promise<Ending> {
  const name = nameOf(first);
  const patterns = flags.resource;
  const waiter = new Waiter(
    conditionsFrom(flags),
    systemClock,
    patterns ? (application) => selectObjects(application.status?.resources ?? [], patterns) : undefined,
  );
  let last = first;
  let before = '';
  for await (const application of follow(client, keyOf(first), { signal: limit.signal })) {
    if (!application || application.metadata.uid !== first.metadata.uid)
      return flags.delete
        ? { code: exitCodes.ok, line: `${style.good('✔')} ${name} deleted` }
        : { code: exitCodes.error, line: style.bad(`✖ ${name} was deleted in the meantime`) };
    last = application;
    const states = `${stateText(syncWord(application), style)}, ${stateText(healthWord(application), style)}`;
    const result = flags.delete ? 'waiting' : waiter.update(application);
    if (result === 'met') return { code: exitCodes.ok, line: `${style.good('✔')} ${name} is ${states}`, last };
    if (result === 'degraded' || result === 'invalid')
      return {
        code: result === 'degraded' ? exitCodes.degraded : exitCodes.error,
        line: `${style.bad(`✖ ${name} is ${result === 'degraded' ? 'Degraded' : 'invalid'}`)}: ${whyText(application)}\n  see fairlead app explain ${name}`,
        last,
      };
    const why = whyText(application) || waiter.last.missing.join(', ');
    const line = `${name}: ${states}${why ? `  ${style.faint(why)}` : ''}`;
    board.draw(name, [line]);
    if (line !== before) board.print([line]);
    before = line;
  }
  if (!limit.expired) return { code: interrupted, line: `${name}: stopped waiting`, last };
  return {
    code: exitCodes.timeout,
    line: style.bad(
      `✖ ${name}: timeout after ${formatAge(timeoutMs ?? 0)}: ${flags.delete ? 'it still exists' : waiter.last.missing.join(', ')}; see fairlead app explain ${name}`,
    ),
    last,
  };
}
