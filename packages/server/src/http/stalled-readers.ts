import type { ServerResponse } from 'node:http';

/** Disconnects a client that reads nothing of an answer that waits for it: the answer is kept in memory meanwhile. */
export function disconnectStalled(response: ServerResponse, stalledMs: number): void {
  let written = 0;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const { socket } = response;
    if (!socket || response.writableFinished) return;
    const isWaiting = socket.writableLength > 0;
    if (isWaiting && socket.bytesWritten - socket.writableLength === written) {
      socket.destroy();
      return;
    }
    written = socket.bytesWritten - socket.writableLength;
    timer = setTimeout(check, stalledMs);
    timer.unref();
  };
  timer = setTimeout(check, stalledMs);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
