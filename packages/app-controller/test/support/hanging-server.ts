import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A server that accepts connections and never responds; with a target address, it forwards them until `hang` is called. */
export interface HangingServer {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  /** Connections that wait for a response. */
  readonly connections: number;
  hang(): void;
  close(): void;
}

export async function startHangingServer(target?: {
  readonly host: string;
  readonly port: number;
}): Promise<HangingServer> {
  const sockets = new Set<Socket>();
  let hanging = target === undefined;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    if (hanging || !target) return;
    const onward = connect(target.port, target.host);
    keep(onward);
    socket.on('data', (data) => void (hanging || onward.write(data)));
    onward.on('data', (data) => void (hanging || socket.write(data)));
    socket.on('close', () => onward.destroy());
    onward.on('close', () => void (hanging || socket.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return sockets.size;
    },
    hang: () => (hanging = true),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
