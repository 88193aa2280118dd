import type { Duplex } from 'node:stream';
import { type Clock, limits } from '@fairlead/kube';
import { CallDuplex } from '../wire/call-duplex.ts';
import type { ServerCall } from '../wire/grpc-server.ts';

/** Why there is no tunnel, with the status for who asked. */
export class NoTunnel extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface AgentTunnels {
  readonly idle: ServerCall[];
  readonly used: Set<Duplex>;
  /** Requests that wait for a tunnel, oldest first. */
  readonly waiting: ((call: ServerCall) => void)[];
}

/** The tunnels that agents keep open for live access to their clusters. Each is used for one request. */
export class Tunnels {
  readonly #clock: Clock;
  readonly #agents = new Map<string, AgentTunnels>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An authenticated agent has opened a tunnel. */
  add(agent: string, call: ServerCall): void {
    const { idle, waiting } = this.#of(agent);
    const next = waiting.shift();
    if (next) return next(call);
    if (idle.length >= limits.agentTunnels) return call.end();
    idle.push(call);
    call.onEnd = () => {
      const at = idle.indexOf(call);
      if (at >= 0) idle.splice(at, 1);
    };
  }

  /** A connection to the server in an agent's cluster. Throws `NoTunnel` if there is none in time. */
  async connect(agent: string): Promise<Duplex> {
    const tunnels = this.#of(agent);
    if (tunnels.used.size + tunnels.waiting.length >= limits.agentTunnels)
      throw new NoTunnel(503, `too many requests to the cluster of agent ${agent} at the same time: try again later`);
    const call = tunnels.idle.shift() ?? (await this.#next(agent, tunnels));
    return opened(call, tunnels.used);
  }

  /** The agent is no longer connected, or no longer permitted. */
  close(agent: string): void {
    const tunnels = this.#agents.get(agent);
    if (!tunnels) return;
    for (const call of tunnels.idle.splice(0)) call.end();
    for (const duplex of [...tunnels.used]) duplex.destroy();
  }

  #next(agent: string, { waiting }: AgentTunnels): Promise<ServerCall> {
    return new Promise((resolve, reject) => {
      const take = (call: ServerCall): void => {
        cancel();
        resolve(call);
      };
      const cancel = this.#clock.after(limits.agentTunnelMs, () => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(new NoTunnel(504, `agent ${agent} has not accepted the request in time`));
      });
      waiting.push(take);
    });
  }

  #of(agent: string): AgentTunnels {
    let known = this.#agents.get(agent);
    if (!known) this.#agents.set(agent, (known = { idle: [], used: new Set(), waiting: [] }));
    return known;
  }
}

function opened(call: ServerCall, used: Set<Duplex>): Duplex {
  const duplex: CallDuplex = new CallDuplex({
    send: (message, sent) => call.send(message, sent),
    setPaused: (paused) => call.setPaused(paused),
    // The call ends when the agent has closed its direction too, or when nobody reads any more.
    end: () => {},
    close: () => call.end(),
  });
  used.add(duplex);
  let isComplete = false;
  call.onMessage = (message) => duplex.receive(message);
  call.onLast = () => {
    isComplete = true;
    duplex.receiveEnd();
  };
  call.onEnd = () => {
    used.delete(duplex);
    // What has arrived completely can still be read.
    if (!isComplete) duplex.destroy(new Error('the connection to the agent was lost'));
  };
  return duplex;
}
