import type { FromSandbox, SandboxProtocol, ToSandbox } from './protocol.ts';

/** The requests of a task to the parent process. */
export interface SandboxHost<P extends SandboxProtocol> {
  request(request: P['request']): Promise<P['reply']>;
  /** Resolves when the next part may be sent. */
  sendPart(part: P['part']): Promise<void>;
}

/** The main function of a sandbox: runs one task after the other. Call it when everything is loaded, since the limits count from then. */
export function serveSandbox<P extends SandboxProtocol>(
  run: (task: P['task'], host: SandboxHost<P>) => Promise<P['result']> | P['result'],
): void {
  const pending = new Map<number, (reply: P['reply']) => void>();
  let requests = 0;
  const send = (message: FromSandbox<P>): Promise<void> =>
    new Promise((resolve, reject) => {
      process.send?.(message, (error: Error | null) => (error ? reject(error) : resolve()));
    });
  const host: SandboxHost<P> = {
    request: (request) =>
      new Promise((resolve, reject) => {
        const id = ++requests;
        pending.set(id, resolve);
        send({ type: 'request', id, request }).catch(reject);
      }),
    sendPart: (part) => send({ type: 'part', part }),
  };

  async function start(task: P['task']): Promise<void> {
    try {
      const result = await run(task, host);
      await send({ type: 'result', result, cpuMs: cpuMs() });
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      await send({ type: 'failed', message, cpuMs: cpuMs(), ...(stack === undefined ? {} : { stack }) });
    }
  }

  process.on('message', (message: ToSandbox<P>) => {
    if (message.type === 'task') void start(message.task);
    else {
      pending.get(message.id)?.(message.reply);
      pending.delete(message.id);
    }
  });
  void send({ type: 'ready', cpuMs: cpuMs() });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
