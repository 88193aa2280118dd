import { randomUUID } from 'node:crypto';
import { type Clock, formatLimit, limits, limitTable } from '@fairlead/kube';
import { LogStreamDataSchema, LogStreamResponseSchema } from '../wire/gen/logstream_pb.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import type { ServerCall } from '../wire/grpc-server.ts';
import { decodeMessage, encodeMessage } from '../wire/rpc.ts';
import type { LiveAnswer } from './agent-stream.ts';

interface PendingLog {
  /** The agent that was asked: lines of any other are refused. */
  readonly agent: string;
  readonly lines: Uint8Array[];
  bytes: number;
  readonly finish: (answer: LiveAnswer) => void;
}

/** Logs that were requested from agents and have not arrived yet. */
export class LogRequests {
  readonly #clock: Clock;
  readonly #pending = new Map<string, PendingLog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests a log from an agent; `send` gets the id of the request. */
  request(agent: string, send: (uuid: string) => void): Promise<LiveAnswer> {
    const uuid = randomUUID();
    return new Promise((resolve) => {
      const finish = (answer: LiveAnswer): void => {
        cancel();
        this.#pending.delete(uuid);
        resolve(answer);
      };
      const cancel = this.#clock.after(limits.agentLogMs, () =>
        finish({ status: 504, body: 'the agent sent no log in time' }),
      );
      this.#pending.set(uuid, { agent, lines: [], bytes: 0, finish });
      send(uuid);
    });
  }

  /** Receives the lines of a log from an authenticated agent until it sends the end or an error. */
  receive(agent: string, call: ServerCall): void {
    let received = 0;
    call.onMessage = (bytes) => {
      const { requestUuid, data, eof, error } = decodeMessage(LogStreamDataSchema, bytes);
      const pending = this.#pending.get(requestUuid);
      if (pending?.agent !== agent)
        throw new GrpcError(
          grpcStatus.permissionDenied,
          `no log with id ${requestUuid} was requested from agent ${agent}`,
        );
      received += 1;
      pending.bytes += data.length;
      pending.lines.push(data);
      if (pending.bytes > limits.agentLogBytes) {
        const reason = `the log is larger than ${formatLimit(limitTable.agentLogBytes)}: request fewer lines`;
        pending.finish({ status: 413, body: reason });
        throw new GrpcError(grpcStatus.resourceExhausted, reason);
      }
      if (!eof && !error) return;
      pending.finish(
        error ? { status: 502, body: error } : { status: 200, body: Buffer.concat(pending.lines).toString() },
      );
      const status = error ? 500 : 200;
      call.send(encodeMessage(LogStreamResponseSchema, { requestUuid, status, linesReceived: received }));
      call.end();
    };
  }
}
