import type { Application } from '@fairlead/api';
import { ApiError, elementAt, type KubeObject } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import type { HttpClient } from '@fairlead/kube';
import { withDestination } from '../../applications/cluster/destination.ts';
import { onCluster } from '../../applications/cluster/on-cluster.ts';
import { readTree, walk } from '../../applications/cluster/owner-tree.ts';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appLogs } from '../../command-line/specs/app.ts';
import { durationFlag } from '../../duration.ts';
import type { Terminal } from '../../terminal/terminal.ts';

type LogsCall = Call<typeof appLogs.flags>;
type Flags = LogsCall['flags'];
type Pod = KubeObject & {
  readonly spec: {
    readonly containers: readonly { readonly name: string }[];
    readonly initContainers?: readonly { readonly name: string }[];
  };
};

interface Log {
  readonly title: string;
  readonly path: string;
}

/** `fairlead app logs NAME` */
export const run: Handler<typeof appLogs> = async (call) => {
  const { flags, args } = call;
  return onCluster(call, async (client) => {
    const application = await findWhole(client, keyFrom(elementAt(args, 0), flags.namespace));
    await withDestination(client, application, call.environment, (there) => printLogs(there.client, application, call));
    return exitCodes.ok;
  });
};

async function printLogs(client: HttpClient, application: Application, { flags, terminal }: LogsCall): Promise<void> {
  const below = (await readTree(client, application)).filter((node) => isNamed(node, flags));
  const pods = [...walk(below)].flatMap(({ live }) => (live?.kind === 'Pod' ? [live as Pod] : []));
  const logs = pods.flatMap((pod) => logsOf(pod, flags));
  if (logs.length === 0)
    throw new CliError(
      pods.length === 0
        ? `${nameOf(application)} has no pods: fairlead app tree ${nameOf(application)} shows its objects`
        : `no container named ${flags.container}`,
    );
  const signal = terminal.stopped();
  if (flags.follow) await Promise.all(logs.map((log) => print(client, terminal, log, flags, signal)));
  else for (const log of logs) await print(client, terminal, log, flags, signal);
}

function isNamed(node: TreeNode, { kind, name }: Flags): boolean {
  if (kind === undefined && name === undefined) return true;
  return (kind === undefined || node.id.kind === kind) && (name === undefined || node.id.name === name);
}

function logsOf({ metadata, spec }: Pod, flags: Flags): Log[] {
  const query = new URLSearchParams();
  if (flags.follow) query.set('follow', 'true');
  if (flags.previous) query.set('previous', 'true');
  if (flags.timestamps) query.set('timestamps', 'true');
  if (flags.tail !== undefined) query.set('tailLines', String(readNumber('tail', flags.tail)));
  const since = durationFlag('since', flags.since);
  if (since !== undefined) query.set('sinceSeconds', String(Math.max(1, Math.round(since / 1_000))));
  const containers = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name);
  return containers
    .filter((name) => flags.container === undefined || flags.container === name)
    .map((container) => {
      query.set('container', container);
      const title = containers.length === 1 ? metadata.name : `${metadata.name}/${container}`;
      const place = `/api/v1/namespaces/${encodeURIComponent(metadata.namespace ?? '')}/pods/${encodeURIComponent(metadata.name)}/log`;
      return { title, path: `${place}?${query}` };
    });
}

/** A container without logs yet is reported and does not end the others. */
async function print(
  client: HttpClient,
  terminal: Terminal,
  { title, path }: Log,
  flags: Flags,
  signal: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  const print = (line: string): void => {
    if (flags.filter === undefined || line.includes(flags.filter))
      terminal.write(`${terminal.style.faint(title)}  ${line}\n`);
  };
  let rest = '';
  try {
    for await (const chunk of client.stream(path, { signal })) {
      const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) print(line);
    }
    if (rest !== '') print(rest);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    terminal.writeError(`! ${title}: ${error.message}`);
  }
}
