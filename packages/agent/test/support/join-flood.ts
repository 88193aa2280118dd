/**
 * `node join-flood.ts PORT CONNECTIONS STREAMS BYTES PATH`: without a certificate, opens calls that announce a large request and send as
 * much as the server accepts. Prints how many bytes it could send whenever that changes.
 */
import { connect } from 'node:http2';

const [port = '0', connections = '1', streams = '1', bytes = '0', path = '/'] = process.argv.slice(2);
const head = Buffer.from([0, 0, 0, 0, 0]);
head.writeUInt32BE(Number(bytes), 1);
const chunk = Buffer.alloc(16 * 1024, 1);
let sent = 0;

function flood(): void {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  session.on('error', () => session.destroy());
  session.on('close', () => setTimeout(flood, 1_000));
  for (let i = 0; i < Number(streams); i++) {
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc+proto' });
    stream.on('error', () => {});
    let left = Number(bytes);
    const more = (): void => {
      while (left > 0 && !stream.destroyed) {
        left -= chunk.length;
        sent += chunk.length;
        if (!stream.write(chunk)) return void stream.once('drain', more);
      }
    };
    stream.write(head, more);
  }
}
for (let i = 0; i < Number(connections); i++) flood();
setInterval(() => process.stdout.write(`${sent}\n`), 200);
