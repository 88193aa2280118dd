import assert from 'node:assert/strict';
import { sleep, systemClock } from '@fairlead/kube';
import { WebSocket } from 'undici';

export interface TerminalClient {
  readonly socket: WebSocket;
  readonly messages: string[];
  /** The code with which the server closed it. */
  readonly closed: Promise<number>;
  /** Waits for a message with this text. */
  until(text: string): Promise<void>;
}

/** Opens a terminal as a browser does. Rejects if the server refuses it. */
export async function connectTerminal(url: string, headers: Readonly<Record<string, string>>): Promise<TerminalClient> {
  const socket = new WebSocket(url, { headers });
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('refused')));
  });
  return {
    socket,
    messages,
    closed,
    async until(text) {
      for (let attempt = 0; attempt < 200; attempt++) {
        if (messages.some((message) => message.includes(text))) return;
        await sleep(systemClock, 20);
      }
      assert.fail(`no message with ${text}: ${messages.join('\n')}`);
    },
  };
}
