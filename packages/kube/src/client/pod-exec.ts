import { StringDecoder } from 'node:string_decoder';
import { textAt } from '@fairlead/apimachinery';
import type { WebSocket } from 'undici';

/** What runs in a container, on a terminal. */
export interface ExecOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

/** How a command ended. Without a code, it was not started, or the connection broke. */
export interface ExecResult {
  readonly exitCode?: number;
  readonly message: string;
}

/** A command that runs in a container. */
export interface ExecSession {
  write(text: string): void;
  resize(size: { readonly rows: number; readonly columns: number }): void;
  readonly ended: Promise<ExecResult>;
  close(): void;
}

/** Starts a command in a container; its output goes to the second argument. */
export type StartExec = (
  options: ExecOptions,
  onOutput: (text: string) => void,
  signal?: AbortSignal,
) => Promise<ExecSession>;

/** Opens a WebSocket of a path of the API server. */
export type OpenWebSocket = (path: string, protocols: readonly string[], signal?: AbortSignal) => Promise<WebSocket>;

/** The first byte of each message. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** Runs a command in a container, with a terminal. Throws if the API server refuses it. */
export async function execInPod(
  open: OpenWebSocket,
  { namespace, pod, container, command }: ExecOptions,
  onOutput: (text: string) => void,
  signal?: AbortSignal,
): Promise<ExecSession> {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'true', tty: 'true' });
  for (const word of command) query.append('command', word);
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query}`;
  const socket = await open(path, protocols, signal);
  const send = (channel: number, text: string): void => {
    if (socket.readyState === socket.OPEN) socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
  };
  const ended = new Promise<ExecResult>((resolve) => {
    const decoder = new StringDecoder('utf8');
    socket.addEventListener('message', ({ data }) => {
      const bytes = data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(String(data));
      const content = bytes.subarray(1);
      if (bytes[0] === channels.stdout || bytes[0] === channels.stderr) onOutput(decoder.write(content));
      else if (bytes[0] === channels.error) resolve(resultOf(content.toString()));
    });
    socket.addEventListener('close', () => resolve({ message: 'the connection to the container was closed' }));
  });
  return {
    write: (text) => send(channels.stdin, text),
    resize: ({ rows, columns }) => send(channels.resize, JSON.stringify({ Width: columns, Height: rows })),
    ended,
    close: () => socket.close(),
  };
}

/** The status that the API server sends at the end. */
function resultOf(text: string): ExecResult {
  let status: unknown;
  try {
    status = JSON.parse(text);
  } catch {
    return { message: text };
  }
  const message = textAt(status, 'message');
  if (textAt(status, 'status') === 'Success') return { exitCode: 0, message };
  const code = /exit code (\d+)/u.exec(message)?.[1];
  return textAt(status, 'reason') === 'NonZeroExitCode' ? { exitCode: Number(code ?? 1), message } : { message };
}
