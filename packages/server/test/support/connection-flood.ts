/**
 * Opens many connections that each send the same text, as a separate process: `PORT COUNT TEXT`. Prints `open` when all are open, then one line of
 * JSON, the first lines of the answers with their numbers, when the last one is closed.
 */
import { connect } from 'node:net';

const [port = '', count = '', text = ''] = process.argv.slice(2);
const answers: Record<string, number> = {};
const dial = (): { readonly open: Promise<void>; readonly closed: Promise<void> } => {
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received = (received + chunk.toString('latin1')).slice(0, 100);
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      const [line = ''] = received.split('\r\n');
      answers[line] = (answers[line] ?? 0) + 1;
      resolve();
    });
  });
  const open = new Promise<void>((resolve) => {
    socket.on('close', resolve);
    socket.on('connect', () => {
      socket.write(text);
      resolve();
    });
  });
  return { open, closed };
};
const dialed = Array.from({ length: Number(count) }, dial);
await Promise.all(dialed.map(({ open }) => open));
console.log('open');
await Promise.all(dialed.map(({ closed }) => closed));
console.log(JSON.stringify(answers));
