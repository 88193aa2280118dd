import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Direction = 'up' | 'down';

/** A network between an agent and its principal that can be cut, slowed down, or drop one direction. */
export class TcpProxy {
  target = 0;
  delayMs = 0;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #swallowed = new Set<Direction>();
  #open = true;
  connections = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (socket) => proxy.#accept(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection, and permits no new one until `join`. */
  cut(): void {
    this.#open = false;
    this.breakAll();
  }

  breakAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  join(): void {
    this.#open = true;
    this.#swallowed.clear();
    this.delayMs = 0;
  }

  /** Drops this direction (up: to the principal); both sides consider the connection healthy. */
  halfOpen(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#swallowed.add(direction);
  }

  async close(): Promise<void> {
    this.breakAll();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    this.connections += 1;
    if (!this.#open) return void client.destroy();
    const server = connect(this.target, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    this.#pipe(client, server, 'up');
    this.#pipe(server, client, 'down');
    for (const socket of pair) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  }

  #pipe(from: Socket, to: Socket, direction: Direction): void {
    from.on('data', (chunk) => {
      if (this.#swallowed.has(direction)) return;
      if (this.delayMs === 0) to.write(chunk);
      else setTimeout(() => !to.destroyed && to.write(chunk), this.delayMs);
    });
  }
}
