import { elementAt } from '@fairlead/apimachinery';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import type { AnyEvent } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appEvents } from '../../command-line/specs/app.ts';
import { ageOf } from '../../duration.ts';
import { tableLines } from '../../table.ts';
import { visible } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Flags = Call<typeof appEvents.flags>['flags'];

/** `fairlead app events NAME` */
export const run: Handler<typeof appEvents> = async (call) => {
  const { flags, args, terminal } = call;
  return withBackend(call, async (backend) => {
    const application = await findWhole(backend.client, keyFrom(elementAt(args, 0), flags.namespace));
    const keep = (event: AnyEvent): boolean => !flags.warnings || event.type === 'Warning';
    if (flags.watch) {
      const print = printer(terminal, flags);
      await backend.watchEvents(application, (event) => (keep(event) ? print(event) : undefined), terminal.stopped());
      return exitCodes.ok;
    }
    const events = (await backend.events(application))
      .filter(keep)
      .sort((a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1));
    if (flags.output === 'json') terminal.write(`${JSON.stringify(events.map(plain), null, 2)}\n`);
    else if (events.length === 0) terminal.write(`no events for ${nameOf(application)}: events are kept for an hour\n`);
    else {
      const head = ['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'].map((word) => terminal.style.strong(word));
      for (const line of tableLines([head, ...events.map((event) => cells(event, terminal))]))
        terminal.write(`${line}\n`);
    }
    return exitCodes.ok;
  });
};

const timeOf = (event: AnyEvent): string =>
  event.series?.lastObservedTime ||
  event.deprecatedLastTimestamp ||
  event.eventTime ||
  event.metadata.creationTimestamp ||
  '';

/** The fields that both APIs have. */
function plain(event: AnyEvent): object {
  const { name, namespace, uid, creationTimestamp } = event.metadata;
  const { apiVersion, kind, namespace: where, name: which, uid: id } = event.regarding;
  return {
    metadata: { name, namespace, uid, creationTimestamp },
    type: event.type,
    reason: event.reason,
    ...(event.action ? { action: event.action } : {}),
    note: event.note,
    regarding: { apiVersion, kind, namespace: where, name: which, uid: id },
    lastSeen: timeOf(event),
    count: countOf(event),
  };
}

const countOf = (event: AnyEvent): number => event.series?.count ?? event.deprecatedCount ?? 1;

function cells(event: AnyEvent, { style }: Terminal): string[] {
  const count = countOf(event);
  const { kind, name } = event.regarding;
  return [
    ageOf(timeOf(event), Date.now()),
    event.type === 'Warning' ? style.wary(event.type) : event.type,
    event.reason,
    `${kind}/${name}`,
    `${visible(event.note ?? '')}${count > 1 ? ` (${count} times)` : ''}`,
  ];
}

const printer =
  (terminal: Terminal, flags: Flags) =>
  (event: AnyEvent): void => {
    const [, type, reason, object, message] = cells(event, terminal);
    const line =
      flags.output === 'json'
        ? JSON.stringify(plain(event))
        : [timeOf(event).slice(11, 19), type, reason, object, message].join('  ');
    terminal.write(`${line}\n`);
  };
