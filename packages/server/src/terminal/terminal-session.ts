import { messageOf as errorText, isObject, numberAt, textAt } from '@fairlead/apimachinery';
import { type Clock, type ExecOptions, type ExecSession, limits, type StartExec } from '@fairlead/kube';
import { closeCodes } from './frames.ts';
import { ServerWebSocket, type Upgrade } from './web-socket.ts';

export interface TerminalOptions {
  readonly upgrade: Upgrade;
  readonly key: string;
  readonly clock: Clock;
  readonly container: Omit<ExecOptions, 'command'>;
  /** Tried in order, until one of them can be started. */
  readonly shells: readonly string[];
  readonly exec: StartExec;
  /** Whether the user still may use it, asked before each input and with each ping: output must not go on either. */
  check(): Promise<TerminalRight>;
  /** A shell has started. */
  onStart(): void;
  /** None could be started: the reason of the cluster, or of its agent. */
  onRefused(reason: string): void;
}

/** `reconnect`: the token was renewed, and needs another connection. `ended`: the session has ended. */
export type TerminalRight = 'allowed' | 'reconnect' | 'ended' | 'denied';

const pingMs = 5_000;
const endOfTransmission = '\u0004';

interface State {
  session?: ExecSession;
  size?: { readonly rows: number; readonly columns: number };
  /** The handling of the messages so far. */
  input: Promise<void>;
  /** What was typed before the first output, for the shell that can be started. */
  early: string | undefined;
}

/** Shells exit with these codes if a command cannot be run or is not found. */
const notStarted: ReadonlySet<number> = new Set([126, 127]);

/** Connects a client with a shell in a container until one of them ends. */
export async function runTerminal(options: TerminalOptions): Promise<void> {
  let refusal: unknown;
  let isStarted = false;
  const { clock, container, exec } = options;
  const stop = new AbortController();
  const state: State = { input: Promise.resolve(), early: '' };
  const output = (text: string): void => {
    touch();
    state.early = undefined;
    client.send(JSON.stringify({ operation: 'stdout', data: text, rows: 0, cols: 0 }));
    if (client.buffered > limits.apiTerminalBufferBytes) client.close(closeCodes.policy);
  };
  const end = (): void => {
    state.session?.write(endOfTransmission);
    client.close();
  };
  const reconnect = (): void => {
    output('\nReconnect because the token was refreshed...\n');
    client.send(JSON.stringify({ Code: 1 }));
  };
  const endUnlessAllowed = (right: TerminalRight): void => {
    if (right === 'denied') output('Permission denied');
    if (right === 'ended') reconnect();
    if (right === 'denied' || right === 'ended') end();
  };
  const handle = async (text: string): Promise<void> => {
    const message = messageOf(text);
    const right = await options.check();
    if (right === 'reconnect') return reconnect();
    if (right !== 'allowed') return endUnlessAllowed(right);
    if (message === undefined) end();
    else if (message.operation === 'stdin') {
      if (state.early !== undefined)
        state.early = (state.early + message.data).slice(0, limits.apiTerminalMessageBytes);
      state.session?.write(message.data);
    } else {
      state.size = message;
      state.session?.resize(message);
    }
  };
  const client = new ServerWebSocket(options.upgrade, options.key, limits.apiTerminalMessageBytes, {
    onMessage: (text) => {
      touch();
      state.input = state.input.then(() => handle(text)).catch(() => client.close(closeCodes.policy));
    },
    onClose: () => stop.abort(),
  });
  let cancelIdle = (): void => {};
  function touch(): void {
    cancelIdle();
    cancelIdle = clock.after(limits.apiTerminalIdleMs, () => client.close(closeCodes.policy));
  }
  touch();
  const pings = setInterval(() => {
    client.ping();
    options.check().then(endUnlessAllowed, () => client.close(closeCodes.policy));
  }, pingMs);
  try {
    for (const shell of options.shells) {
      const session = await exec({ ...container, command: [shell] }, output, stop.signal).catch((error: unknown) => {
        refusal = error;
        return undefined;
      });
      if (session && !isStarted) options.onStart();
      isStarted ||= session !== undefined;
      if (stop.signal.aborted) {
        if (!isStarted) options.onRefused('the client has left');
        return session?.close();
      }
      if (!session) continue;
      state.session = session;
      stop.signal.addEventListener('abort', () => session.close(), { once: true });
      if (state.size) session.resize(state.size);
      if (state.early) session.write(state.early);
      const { exitCode } = await session.ended;
      session.close();
      if (exitCode !== undefined && !notStarted.has(exitCode)) return;
    }
    if (isStarted) return;
    const reason = refusal === undefined ? 'no shell is permitted' : errorText(refusal);
    options.onRefused(reason);
    output(`no shell can be started: ${reason}\r\n`);
  } finally {
    clearInterval(pings);
    cancelIdle();
    client.close();
  }
}

type Message =
  | { readonly operation: 'stdin'; readonly data: string }
  | { readonly operation: 'resize'; readonly rows: number; readonly columns: number };

/** A message of a client; undefined if it is none. */
function messageOf(text: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const operation = textAt(value, 'operation');
  if (operation === 'stdin') return { operation, data: textAt(value, 'data') };
  if (operation !== 'resize') return undefined;
  return { operation, rows: sizeAt(value, 'rows'), columns: sizeAt(value, 'cols') };
}

const sizeAt = (value: object, field: string): number =>
  Math.min(65_535, Math.max(0, Math.trunc(numberAt(value, field)) || 0));
