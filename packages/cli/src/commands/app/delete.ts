import type { Application, ResourceStatus } from '@fairlead/api';
import { parseTrackingId, trackingAnnotation } from '@fairlead/engine';
import { unwatched } from '../../applications/cluster/installation.ts';
import { chooseApplications, keyOf, nameOf } from '../../applications/selection/find-application.ts';
import { clusterText } from '../../applications/tables/status-text.ts';
import { interrupted, type TimeLimit, timeLimit } from '../../applications/watch/time-limit.ts';
import { follow } from '../../applications/watch/watch-application.ts';
import type { ObjectClient } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appDelete } from '../../command-line/specs/app.ts';
import { durationFlag, formatAge } from '../../duration.ts';
import { Board } from '../../terminal/board.ts';
import { visible } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Flags = Call<typeof appDelete.flags>['flags'];

/** `fairlead app delete NAME…` */
export const run: Handler<typeof appDelete> = async (call) => {
  const { flags, args, terminal } = call;
  const timeoutMs = durationFlag('timeout', flags.timeout);
  return withBackend(call, async (backend) => {
    const { client } = backend;
    const chosen = await chooseApplications(client, args, flags);
    for (const application of chosen) for (const line of impact(application, flags)) terminal.write(`${line}\n`);
    if (!(await agreed(terminal, chosen, flags))) {
      terminal.write('nothing was deleted\n');
      return exitCodes.error;
    }
    for (const application of chosen)
      await backend.remove(application, {
        cascade: cascades(flags) && (await isWatched(client, application)),
        background: flags['propagation-policy'] === 'background',
      });
    if (flags.wait === false) return exitCodes.ok;
    const limit = timeLimit(terminal.stopped(), timeoutMs);
    const board = new Board(terminal);
    try {
      const codes = await Promise.all(chosen.map((one) => gone(client, terminal, board, one, limit, timeoutMs)));
      return Math.max(...codes);
    } finally {
      limit.end();
      board.end();
    }
  });
};

const cascades = ({ cascade }: Flags): boolean => cascade !== false;

/** Describes what will be deleted. */
export function impact(application: Application, flags: Flags): string[] {
  const name = nameOf(application);
  const resources = (application.status?.resources ?? []).filter(({ hook }) => !hook);
  const where = clusterText(application);
  const lines: string[] = [];
  if (!cascades(flags))
    lines.push(
      `Application ${name} will be deleted; its ${count(resources.length, 'object')} in ${where} will be kept`,
    );
  else if (resources.length === 0) lines.push(`Application ${name} will be deleted; it has no objects`);
  else {
    lines.push(`Application ${name} will be deleted, and its ${count(resources.length, 'object')} in ${where}:`);
    lines.push(...byKind(resources).map((line) => `  ${line}`));
  }
  const parent = parseTrackingId(application.metadata.annotations?.[trackingAnnotation] ?? '')?.app;
  if (parent)
    lines.push(`  Application ${parent} manages it and will create it again unless it is removed from that source too`);
  return lines;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

const kept = ({ kind }: ResourceStatus): boolean => kind === 'CustomResourceDefinition';

function byKind(resources: readonly ResourceStatus[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const resource of resources) {
    const { kind = '', namespace, name = '' } = resource;
    const label = kept(resource) ? `${kind} (stays)` : kind;
    kinds.set(label, [...(kinds.get(label) ?? []), namespace ? `${namespace}/${name}` : name]);
  }
  return [...kinds].map(([kind, names]) => {
    const shown = names.slice(0, 5).join(', ');
    return `${kind}: ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
  });
}

async function agreed(terminal: Terminal, chosen: readonly Application[], flags: Flags): Promise<boolean> {
  if (flags.yes) return true;
  const [first] = chosen;
  const word = first && chosen.length === 1 ? first.metadata.name : 'yes';
  const answer = await terminal.ask(`Type ${word} to continue: `);
  if (answer === undefined) throw new CliError('cannot ask for confirmation without a terminal: add --yes');
  return answer === word || (chosen.length === 1 && answer === 'yes');
}

/** In a namespace that no controller watches, the finalizer would never be removed. */
async function isWatched(client: ObjectClient, application: Application): Promise<boolean> {
  const watched = await unwatched(client, application);
  if (watched === undefined) return true;
  if ((application.status?.resources ?? []).length === 0) return false;
  throw new CliError(
    `the objects of ${nameOf(application)} would not be deleted: the controller watches only Applications in ${watched}. Add its namespace to application.namespaces in ConfigMap argocd-cmd-params-cm, or keep its objects with --no-cascade`,
  );
}

async function gone(
  client: ObjectClient,
  terminal: Terminal,
  board: Board,
  application: Application,
  limit: TimeLimit,
  timeoutMs: number | undefined,
): Promise<number> {
  const name = nameOf(application);
  const { style } = terminal;
  let before = '';
  for await (const now of follow(client, keyOf(application), { signal: limit.signal, pollMs: 1_000 })) {
    if (!now || now.metadata.uid !== application.metadata.uid) {
      board.draw(name, [`${style.good('✔')} ${name} deleted`]);
      board.print([`${name} deleted`]);
      return exitCodes.ok;
    }
    const trouble = now.status?.conditions?.find(({ type }) => type === 'DeletionError')?.message;
    const left = now.status?.resources?.length ?? 0;
    const line = `${name}: ${trouble ? visible(trouble) : `its objects are being deleted${left ? `, ${left} left` : ''}`}`;
    board.draw(name, [line]);
    if (line !== before) board.print([line]);
    before = line;
  }
  if (!limit.expired) return interrupted;
  board.draw(name, [
    style.bad(
      `✖ timeout: ${name} was not deleted in ${formatAge(timeoutMs ?? 0)}; the deletion continues, see fairlead app explain ${name}`,
    ),
  ]);
  board.print([
    `timeout: ${name} was not deleted in ${formatAge(timeoutMs ?? 0)}; the deletion continues, see fairlead app explain ${name}`,
  ]);
  return exitCodes.timeout;
}
