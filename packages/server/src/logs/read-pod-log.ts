import { messageOf } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { RpcError } from '../rpc/rpc-error.ts';
import { type LogEntry, readNanoTime } from './log-entry.ts';

/** What is read of the log of each pod. Empty fields were not given. */
export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly sinceSeconds: number;
  readonly sinceTime: string;
  readonly tailLines: number;
}

export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

export type ReadStream = (path: string, options: { readonly signal: AbortSignal }) => AsyncIterable<Uint8Array>;

export function logPath({ namespace, name }: PodRef, options: LogOptions): string {
  const query = new URLSearchParams({ timestamps: 'true' });
  if (options.container !== '') query.set('container', options.container);
  if (options.follow) query.set('follow', 'true');
  if (options.previous) query.set('previous', 'true');
  if (options.sinceSeconds > 0) query.set('sinceSeconds', String(options.sinceSeconds));
  if (options.sinceTime !== '') query.set('sinceTime', options.sinceTime);
  if (options.tailLines > 0) query.set('tailLines', String(options.tailLines));
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log?${query}`;
}

/** The entries of the log of a pod. A log that cannot be read is an entry with the reason. */
export async function* readPodLog(
  stream: ReadStream,
  pod: PodRef,
  options: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  let isStarted = false;
  try {
    for await (const line of linesOf(stream(logPath(pod, options), { signal }))) {
      isStarted = true;
      yield* entriesOf(pod.name, line);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (isStarted) throw error;
    yield { pod: '', line: messageOf(error) };
  }
}

function entriesOf(pod: string, line: string): LogEntry[] {
  const trimmed = line.trim();
  const space = trimmed.indexOf(' ');
  const stamp = space < 0 ? trimmed : trimmed.slice(0, space);
  const time = readNanoTime(stamp);
  if (time === undefined) throw new RpcError('Unknown', `the log of pod ${pod} has a line without a time`);
  const text = space < 0 ? '' : trimmed.slice(space + 1);
  return text.split('\r').map((part) => ({ pod, line: part, time }));
}

/** Lines as they come; of a line that is too long, the rest is dropped. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      if (!isTooLong) yield part.slice(0, limits.apiLogLineBytes);
      isTooLong = false;
    }
    if (rest.length > limits.apiLogLineBytes) {
      if (!isTooLong) yield rest.slice(0, limits.apiLogLineBytes);
      isTooLong = true;
      rest = '';
    }
  }
  if (rest !== '' && !isTooLong) yield rest;
}
