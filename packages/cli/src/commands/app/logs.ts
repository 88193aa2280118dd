import type { Application } from '@fairlead/api';
import { ApiError, elementAt, type KubeObject } from '@fairlead/apimachinery';
import type { TreeNode } from '@fairlead/app-controller/explain';
import { walk } from '../../applications/cluster/owner-tree.ts';
import { readNumber } from '../../applications/operations/sync-operation.ts';
import { findWhole, keyFrom, nameOf } from '../../applications/selection/find-application.ts';
import type { Backend, ContainerLog } from '../../backend/backend.ts';
import { withBackend } from '../../backend/with-backend.ts';
import { CliError } from '../../cli-error.ts';
import { type Call, exitCodes, type Handler } from '../../command-line/command.ts';
import type { appLogs } from '../../command-line/specs/app.ts';
import { durationFlag } from '../../duration.ts';

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
  readonly log: ContainerLog;
}

/** `fairlead app logs NAME` */
export const run: Handler<typeof appLogs> = async (call) => {
  const { flags, args } = call;
  return withBackend(call, async (backend) => {
    const application = await findWhole(backend.client, keyFrom(elementAt(args, 0), flags.namespace));
    const below = (await backend.tree(application, { pods: true })).filter((node) => isNamed(node, flags));
    const pods = [...walk(below)].flatMap(({ live }) => (live?.kind === 'Pod' ? [live as Pod] : []));
    const logs = pods.flatMap((pod) => logsOf(pod, flags));
    if (logs.length === 0)
      throw new CliError(
        pods.length === 0
          ? `${nameOf(application)} has no pods: fairlead app tree ${nameOf(application)} shows its objects`
          : `no container named ${flags.container}`,
      );
    const show = (log: Log): Promise<void> => print(backend, application, log, call);
    if (flags.follow) await Promise.all(logs.map(show));
    else for (const log of logs) await show(log);
    return exitCodes.ok;
  });
};

function isNamed(node: TreeNode, { kind, name }: Flags): boolean {
  if (kind === undefined && name === undefined) return true;
  return (kind === undefined || node.id.kind === kind) && (name === undefined || node.id.name === name);
}

function logsOf({ metadata, spec }: Pod, flags: Flags): Log[] {
  const since = durationFlag('since', flags.since);
  const options = {
    ...(flags.follow ? { follow: true } : {}),
    ...(flags.previous ? { previous: true } : {}),
    ...(flags.timestamps ? { timestamps: true } : {}),
    ...(flags.tail === undefined ? {} : { tailLines: readNumber('tail', flags.tail) }),
    ...(since === undefined ? {} : { sinceSeconds: Math.max(1, Math.round(since / 1_000)) }),
  };
  const containers = [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name);
  return containers
    .filter((name) => flags.container === undefined || flags.container === name)
    .map((container) => ({
      title: containers.length === 1 ? metadata.name : `${metadata.name}/${container}`,
      log: { namespace: metadata.namespace ?? '', pod: metadata.name, container, ...options },
    }));
}

/** A container without logs yet is reported and does not end the others. */
async function print(
  backend: Backend,
  application: Application,
  { title, log }: Log,
  { flags, terminal }: LogsCall,
): Promise<void> {
  try {
    for await (const line of backend.logLines(application, log, terminal.stopped()))
      if (flags.filter === undefined || line.includes(flags.filter))
        terminal.write(`${terminal.style.faint(title)}  ${line}\n`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    terminal.writeError(`! ${title}: ${error.message}`);
  }
}
