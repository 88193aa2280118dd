import { text } from 'node:stream/consumers';
import { messageOf } from '@fairlead/apimachinery';
import { LogStreamDataSchema, LogStreamService } from '../wire/gen/logstream_pb.ts';
import type { ClientCall, GrpcClient } from '../wire/grpc-client.ts';
import { pathOf } from '../wire/live-path.ts';
import type { LogRequest } from '../wire/live-request.ts';
import { encodeMessage, methodPath } from '../wire/rpc.ts';
import { type LivePolicy, refusalOf } from './live-policy.ts';

/** Without a limit in the request, this many lines are sent. */
const defaultTailLines = 1_000;

/** Smaller than the largest message of any peer. */
const chunkBytes = 64 * 1024;

export interface SendLogOptions {
  readonly client: GrpcClient;
  readonly token: string;
  readonly policy: LivePolicy;
  /** Opens the log at a path of this cluster's API; undefined if live access is not served. */
  readonly open: OpenLog | undefined;
}

export type OpenLog = (
  path: string,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> }>;

/** Sends a log that the principal has requested, piece by piece: a followed log until its reader is gone. */
export async function sendLog(request: LogRequest, { client, token, policy, open }: SendLogOptions): Promise<void> {
  const { uuid: requestUuid } = request;
  const stop = new AbortController();
  const handlers = { message: () => {}, tooLarge: () => {}, ended: () => stop.abort() };
  const call = client.call(methodPath(LogStreamService.method.streamLogs), handlers, token);
  const fail = (error: string): void => {
    if (stop.signal.aborted) return;
    call.send(encodeMessage(LogStreamDataSchema, { requestUuid, error: error.slice(0, 500), eof: true }));
    call.end();
  };
  const path = logPath(request);
  const refusal = refusalOf(policy, { method: 'GET', path });
  if (refusal !== undefined) return fail(`403: ${refusal}`);
  if (!open) return fail('501: this agent does not permit live access');
  try {
    const { status, body } = await open(path, stop.signal);
    if (status !== 200) return fail(`${status}: ${await text(body)}`);
    for await (const chunk of body)
      for (let at = 0; at < chunk.length; at += chunkBytes)
        await sent(
          call,
          encodeMessage(LogStreamDataSchema, { requestUuid, data: chunk.subarray(at, at + chunkBytes) }),
        );
    call.send(encodeMessage(LogStreamDataSchema, { requestUuid, eof: true }));
    call.end();
  } catch (error) {
    fail(messageOf(error));
  }
}

/** Waits until the principal has room for the message. */
const sent = (call: ClientCall, message: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => call.send(message, (error) => (error ? reject(error) : resolve())));

function logPath({ uuid, namespace, podName, tailLines, ...options }: LogRequest): string {
  const isLimited = options.follow || options.sinceSeconds !== undefined || options.sinceTime || options.limitBytes;
  const lines = tailLines ?? (isLimited ? undefined : defaultTailLines);
  const given = Object.entries({ ...options, tailLines: lines }).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [[name, String(value)] as const],
  );
  return pathOf({
    ...{
      uuid,
      namespace,
      method: 'GET',
      group: '',
      version: 'v1',
      resource: 'pods',
      name: podName,
      subresource: 'log',
    },
    params: Object.fromEntries(given),
  });
}
