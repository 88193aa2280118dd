import type { Writable } from 'node:stream';

/** Resolves when there is room for the next message, or nobody reads any more. */
export const drained = (stream: Writable): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
