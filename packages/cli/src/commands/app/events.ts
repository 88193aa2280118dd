import type { Application } from '@fairlead/api';
import { elementAt } from '@fairlead/apimachinery';
import { aborted, eventsType, type HttpClient, Informer, type KubeEvent, listAll } from '@fairlead/kube';
import { readTreeThere } from '../../applications/cluster/destination.ts';
import { isInCluster } from '../../applications/cluster/in-cluster.ts';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { walk } from '../../applications/cluster/owner-tree.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appEvents } from '../../command-line/specs/app.ts';
import { ageOf } from '../../duration.ts';
import type { Environment } from '../../environment.ts';
import { tableLines } from '../../table.ts';
import { visible } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type Flags = Call<typeof appEvents.flags>['flags'];

/** Older clients write these fields. */
type AnyEvent = KubeEvent & {
  readonly deprecatedLastTimestamp?: string;
  readonly deprecatedCount?: number;
};

/** `fairlead app events NAME` */
export const run: Handler<typeof appEvents> = async (call) => {
  const { flags, args, terminal } = call;
  return onCluster(call, async (client) => {
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    const isAbout = await subjects(client, application, call.environment);
    const keep = (event: AnyEvent): boolean => isAbout(event) && (!flags.warnings || event.type === 'Warning');
    const namespaces = namespacesOf(application);
    if (flags.watch) return watch(client, terminal, namespaces, keep, flags);
    const lists = await Promise.all(
      namespaces.map((namespace) => listAll<AnyEvent>(client, eventsType, { namespace })),
    );
    const events = lists
      .flatMap(({ items }) => items)
      .filter(keep)
      .sort((a, b) => Date.parse(timeOf(a)) - Date.parse(timeOf(b)));
    if (flags.output === 'json') terminal.write(`${JSON.stringify(events, null, 2)}\n`);
    else if (events.length === 0) terminal.write(`no events for ${nameOf(application)}: events are kept for an hour\n`);
    else {
      const head = ['AGE', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'].map((word) => terminal.style.strong(word));
      for (const line of tableLines([head, ...events.map((event) => cells(event, terminal))]))
        terminal.write(`${line}\n`);
    }
    return exitCodes.ok;
  });
};

const namespacesOf = ({ metadata, status, spec }: Application): string[] => {
  const own = isInCluster(spec.destination)
    ? (status?.resources ?? []).flatMap(({ namespace }) => namespace ?? [])
    : [];
  return [...new Set([metadata.namespace ?? '', ...own])];
};

/** The Application, its objects and their dependents. Deleted pods count too, by the name of their owner. */
async function subjects(
  client: HttpClient,
  application: Application,
  environment: Environment,
): Promise<(event: AnyEvent) => boolean> {
  const nodes = [...walk(await readTreeThere(client, application, environment))];
  const uids = new Set([application.metadata.uid, ...nodes.map(({ live }) => live?.metadata.uid)]);
  const names = new Set(nodes.map(({ id }) => `${id.kind} ${id.namespace}/${id.name}`));
  const workloads = nodes.filter(({ id }) =>
    ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'ReplicaSet'].includes(id.kind),
  );
  return ({ regarding }) => {
    if (!regarding) return false;
    const { uid, kind, namespace = '', name } = regarding;
    if (uid !== undefined && uids.has(uid)) return true;
    if (names.has(`${kind} ${namespace}/${name}`)) return true;
    return (
      ['Pod', 'ReplicaSet'].includes(kind) &&
      workloads.some(({ id }) => id.namespace === namespace && name.startsWith(`${id.name}-`))
    );
  };
}

const timeOf = (event: AnyEvent): string =>
  event.series?.lastObservedTime ??
  event.deprecatedLastTimestamp ??
  event.eventTime ??
  event.metadata.creationTimestamp ??
  '';

function cells(event: AnyEvent, { style }: Terminal): string[] {
  const count = event.series?.count ?? event.deprecatedCount ?? 1;
  const { kind, name } = event.regarding;
  return [
    ageOf(timeOf(event), Date.now()),
    event.type === 'Warning' ? style.wary(event.type) : event.type,
    event.reason,
    `${kind}/${name}`,
    `${visible(event.note ?? '')}${count > 1 ? ` (${count} times)` : ''}`,
  ];
}

async function watch(
  client: HttpClient,
  terminal: Terminal,
  namespaces: readonly string[],
  keep: (event: AnyEvent) => boolean,
  flags: Flags,
): Promise<number> {
  const signal = terminal.stopped();
  const print = (event: AnyEvent): void => {
    if (!keep(event)) return;
    const [, type, reason, object, message] = cells(event, terminal);
    const line =
      flags.output === 'json'
        ? JSON.stringify(event)
        : [timeOf(event).slice(11, 19), type, reason, object, message].join('  ');
    terminal.write(`${line}\n`);
  };
  for (const namespace of namespaces) {
    const informer = new Informer<AnyEvent>(client, eventsType, { namespace });
    informer.addHandler({ onAdd: print, onUpdate: (_, event) => print(event) });
    void informer.run(signal);
  }
  await aborted(signal);
  return exitCodes.ok;
}
