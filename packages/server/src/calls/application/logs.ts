import { formatTime, type JsonObject, numberAt, textAt } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { readLive } from '../../live/application-state.ts';
import { treeOfLive } from '../../live/application-tree.ts';
import type { ClusterLease } from '../../live/live-clusters.ts';
import { formatNanoTime, type LogEntry, readNanoTime } from '../../logs/log-entry.ts';
import { mergeLogs } from '../../logs/merge-logs.ts';
import { readPodLog } from '../../logs/read-pod-log.ts';
import { selectPods } from '../../logs/select-pods.ts';
import type { CallContext, StreamCalls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { withStreamedLive } from './live-stream.ts';
import { applicationAccess, refOf } from './requests.ts';
import { actingLive, compared } from './resources.ts';

/** Logs of the pods of an Application, merged by time; at the end an empty entry that says it is the last. */
export const logStreams = (server: Server): StreamCalls => ({
  async *'Application.PodLogs'(context, request) {
    const until = untilTimeOf(textAt(request, 'untilTime'));
    const permitted = await permittedLogs(server, context, request);
    const found = await compared(server, context, permitted);
    const podName = textAt(request, 'podName');
    const selection = {
      group: textAt(request, 'group'),
      kind: podName === '' ? textAt(request, 'kind') : 'Pod',
      namespace: textAt(request, 'namespace'),
      name: podName || textAt(request, 'resourceName'),
    };
    const matches = filterOf(request);
    yield* withStreamedLive(server, found, context.signal, async function* (lease: ClusterLease, signal) {
      const live = await readLive(server, found, lease, signal);
      const { nodes } = await treeOfLive(server, live);
      const { connection } = actingLive(live).lease;
      const pods = selectPods(nodes, selection);
      if (pods.length === 0) return;
      if (pods.length > maxPods(server)) {
        throw invalidArgument('max pods to view logs are reached. Please provide more granular query');
      }
      const options = logOptions(request);
      const logs = pods.map(({ namespace = '', name }) =>
        readPodLog((path, ask) => connection.stream(path, ask), { namespace, name }, options, signal),
      );
      for await (const entry of mergeLogs(logs, server.state.clock, signal)) {
        if (!matches(entry.line)) continue;
        const isLast = until !== undefined && entry.time !== undefined && entry.time > until;
        yield messageOfEntry(entry, isLast);
        if (isLast) return;
      }
      if (signal.aborted) return;
      const now = BigInt(server.state.clock.now()) * 1_000_000n;
      yield messageOfEntry({ pod: '', line: '', time: now }, true);
    });
  },
});

/** The Application whose logs the caller may read. Who reads logs, or is refused, is recorded. */
async function permittedLogs(server: Server, context: CallContext, request: JsonObject) {
  const { claims, remoteAddress: address } = context;
  const { namespace, name } = refOf(request);
  const entry = { call: 'Application.PodLogs', claims, address, object: { name, namespace } };
  try {
    const access = applicationAccess(server);
    const permitted = await access.find(context.caller, 'get', refOf(request));
    server.require(context, 'logs', 'get', access.nameOf(permitted.application));
    server.audit.record({ ...entry, result: 'OK' });
    return permitted;
  } catch (error) {
    const { code, message } = rpcErrorOf(error);
    server.audit.record({ ...entry, result: code, message });
    throw error;
  }
}

function maxPods({ state }: Server): number {
  const text = state.settings['server.maxPodLogsToRender'] ?? '';
  if (text === '') return limits.apiLogPods;
  if (!/^[+-]?\d+$/u.test(text)) {
    throw new RpcError(
      'Unknown',
      `error getting MaxPodLogsToRender config: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

function untilTimeOf(text: string): bigint | undefined {
  if (text === '') return undefined;
  const time = readNanoTime(text);
  if (time !== undefined) return time;
  throw invalidArgumentLike(text);
}

/** The same message as that of Go, which reads the year first. */
const invalidArgumentLike = (text: string): RpcError =>
  new RpcError(
    'Unknown',
    `invalid untilTime parameter value: parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05.999999999Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
  );

function filterOf(request: JsonObject): (line: string) => boolean {
  if (typeof request['filter'] !== 'string') return () => true;
  const isInverse = request['filter'].startsWith('!');
  const literal = isInverse ? request['filter'].slice(1) : request['filter'];
  const folded = literal.toLowerCase();
  const contains = (line: string): boolean =>
    request['matchCase'] === true ? line.includes(literal) : line.toLowerCase().includes(folded);
  return (line) => contains(line) !== isInverse;
}

const logOptions = (request: JsonObject) => ({
  container: textAt(request, 'container'),
  follow: request['follow'] === true,
  previous: request['previous'] === true,
  sinceSeconds: numberAt(request, 'sinceSeconds'),
  sinceTime: textAt(request, 'sinceTime'),
  tailLines: numberAt(request, 'tailLines'),
});

const messageOfEntry = ({ pod, line, time }: LogEntry, last: boolean): object => ({
  content: line,
  timeStamp: time === undefined ? null : formatTime(Number(time / 1_000_000n)),
  last,
  timeStampStr: time === undefined ? '0001-01-01T00:00:00Z' : formatNanoTime(time),
  podName: pod,
});
