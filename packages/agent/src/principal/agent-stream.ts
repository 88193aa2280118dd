import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@fairlead/kube';
import type { Mapping } from '../core/kinds.ts';
import { isByDestination } from '../core/side.ts';
import type { Connection } from '../link/connection.ts';
import type { Link } from '../link/link.ts';
import { Liveness } from '../link/liveness.ts';
import type { Capabilities } from '../wire/capabilities.ts';
import { decodeEvent, encodeEvent } from '../wire/cloud-event.ts';
import { WireSession } from '../wire/codec.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import type { ServerCall } from '../wire/grpc-server.ts';
import { requestOf } from '../wire/live-path.ts';
import type { LogRequest } from '../wire/live-request.ts';
import { tokenExpired } from '../wire/tokens.ts';

export interface LiveAnswer {
  readonly status: number;
  readonly body: string;
}

export interface AgentStreamOptions {
  readonly agent: string;
  readonly call: ServerCall;
  readonly link: Link;
  /** What both sides know. */
  readonly knows: Capabilities;
  readonly principalUid: string;
  /** Where an agent of argocd-agent has its Applications. */
  readonly agentNamespace: string | undefined;
  /** For how long the token is good with which the stream was opened. */
  readonly tokenMs: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
  readonly onEnd: (reason: string | undefined) => void;
}

const silenceMs = 60_000;
const liveRequestMs = 10_000;
const probeMs = 60_000;
const firstProbeMs = 1_000;
/** So long something odd is told of; the agent's heartbeats see to it that it is not for longer. */
const rejectedInputMs = 10 * 60_000;

/** One open stream of one agent. */
export class AgentStream {
  readonly since: number;
  readonly fingerprint: string | undefined;
  readonly #options: AgentStreamOptions;
  readonly #session: WireSession;
  readonly #connection: Connection;
  readonly #liveness: Liveness;
  readonly #liveRequests = new Map<string, (answer: LiveAnswer) => void>();
  #live: { readonly ok: boolean; readonly reason?: string } | undefined;
  #cancelProbe = () => {};
  #ended = false;
  #reason: string | undefined;

  constructor(options: AgentStreamOptions) {
    this.#options = options;
    this.since = options.clock.now();
    this.fingerprint = options.call.caller.fingerprint;
    this.#session = new WireSession('principal', options.knows, {
      principalUid: options.principalUid,
      placeOf: (namespace) => this.#placeOf(namespace),
    });
    this.#connection = {
      peer: { fairlead: options.knows.fairlead, maxBytes: options.maxBytes },
      send: (message) => {
        for (const event of this.#session.encode(message)) options.call.send(encodeEvent(event));
      },
      sizeOf: (message) => (message.type === 'upsert' ? this.#session.json(message.object).length : 0),
    };
    this.#liveness = new Liveness(options.clock, silenceMs, () => {
      this.end(new GrpcError(grpcStatus.deadlineExceeded, `nothing was heard for ${silenceMs / 1000} s`));
    });
  }

  get mapping(): Mapping {
    return this.#options.link.side.mapping ?? 'namespace';
  }

  get live(): { readonly ok: boolean; readonly reason?: string } | undefined {
    return this.#live;
  }

  /** The agent has another token, which is good for so long. argocd-agent's do not ask for one while their stream is open. */
  refreshed(tokenMs: number): void {
    this.#cancelExpiry();
    if (!this.#options.knows.fairlead || this.#ended) return;
    this.#cancelExpiry = this.#options.clock.after(tokenMs, () =>
      this.end(new GrpcError(grpcStatus.unauthenticated, tokenExpired)),
    );
  }

  #cancelExpiry = () => {};

  /** An event that has come on another way. */
  push(bytes: Buffer): void {
    this.#heard(bytes);
  }

  start(): void {
    const { call, link } = this.#options;
    call.onMessage = (bytes) => this.#heard(bytes);
    call.onTooLarge = (size) =>
      this.#rejectInput(`a message of ${(size / 2 ** 20).toFixed(1)} MiB is too large, and was skipped`);
    call.onEnd = () => this.#close();
    this.refreshed(this.#options.tokenMs);
    link.connected(this.#connection);
    // Not at once: after a reconnect the two sides have more urgent things to say.
    this.#cancelProbe = this.#options.clock.after(firstProbeMs, () => this.#probe());
  }

  end(error: GrpcError): void {
    this.#reason ??= error.message;
    this.#options.call.end(error);
    this.#close();
  }

  async liveRequest(path: string): Promise<LiveAnswer> {
    const parsed = requestOf(path);
    if (!parsed) return { status: 400, body: `${path} is no path of the Kubernetes API` };
    const uuid = randomUUID();
    return new Promise((resolve) => {
      const finish = (answer: LiveAnswer): void => {
        cancel();
        this.#liveRequests.delete(uuid);
        resolve(answer);
      };
      const cancel = this.#options.clock.after(liveRequestMs, () =>
        finish({ status: 504, body: 'the agent did not answer in time' }),
      );
      this.#liveRequests.set(uuid, finish);
      this.#options.call.send(encodeEvent(this.#session.encodeResourceRequest({ uuid, method: 'GET', ...parsed })));
    });
  }

  requestLog(request: LogRequest): void {
    this.#options.call.send(encodeEvent(this.#session.encodeLogRequest(request)));
  }

  /** A certificate may have been read by someone: the agent should get another one now. */
  requestRenewal(why: string): void {
    if (why === this.#renewed) return;
    this.#renewed = why;
    const request = {
      uuid: randomUUID(),
      method: 'POST',
      group: 'fairlead.dev',
      version: 'v1',
      resource: 'renew',
      name: why,
    };
    this.#options.call.send(encodeEvent(this.#session.encodeResourceRequest(request)));
  }

  #renewed: string | undefined;

  /** argocd-agent's say the namespace of each object, and mean it where Applications are mapped by their destination. */
  #placeOf(namespace: string | undefined): string | undefined {
    const { link, agentNamespace } = this.#options;
    const usual = namespace === link.side.namespace || namespace === agentNamespace;
    return usual || !isByDestination(link.side) ? undefined : namespace;
  }

  #heard(bytes: Buffer): void {
    this.#liveness.received();
    const { link, call } = this.#options;
    let event: ReturnType<typeof decodeEvent>;
    try {
      event = decodeEvent(bytes);
    } catch (error) {
      return this.#rejectInput(`a message is no event, and was skipped: ${(error as Error).message}`);
    }
    const decoded = this.#session.decode(event);
    switch (decoded.is) {
      case 'message':
        return link.receive(this.#connection, decoded.message);
      case 'resource-response':
        this.#liveRequests.get(decoded.response.uuid)?.(decoded.response);
        return call.send(encodeEvent(this.#session.encodeAnswer(decoded.number, decoded)));
      case 'unfounded':
        return call.send(encodeEvent(this.#session.encodeUnfounded(decoded.number)));
      case 'settled':
        return;
      case 'noted':
        return call.send(encodeEvent(this.#session.encodeAnswer(decoded.number)));
      case 'unknown':
        this.#rejectInput(decoded.reason);
        return call.send(encodeEvent(this.#session.encodeAnswer(decoded.number, { error: decoded.reason })));
      default:
        return call.send(
          encodeEvent(
            this.#session.encodeAnswer(decoded.number, { error: 'the principal is not looked at through its agents' }),
          ),
        );
    }
  }

  #rejectInput(reason: string): void {
    const { log, agent, clock, onChange } = this.#options;
    log.warn('something that an agent sent was not taken', { agent, reason });
    this.#rejectedInput = { reason, at: clock.now() };
    onChange();
  }

  /** What it has lately sent that could not be taken. */
  get rejectedInput(): string | undefined {
    const age = this.#rejectedInput ? this.#options.clock.now() - this.#rejectedInput.at : 0;
    return age <= rejectedInputMs ? this.#rejectedInput?.reason : undefined;
  }

  #rejectedInput: { readonly reason: string; readonly at: number } | undefined;

  #probe(): void {
    void this.liveRequest('/version').then(({ status, body }) => {
      if (this.#ended) return;
      const live = status === 200 ? { ok: true } : { ok: false, reason: body.slice(0, 200) };
      const changed = live.ok !== this.#live?.ok;
      this.#live = live;
      if (changed) this.#options.onChange();
      this.#cancelProbe = this.#options.clock.after(probeMs, () => this.#probe());
    });
  }

  #close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#liveness.stop();
    this.#cancelProbe();
    this.#cancelExpiry();
    for (const finish of [...this.#liveRequests.values()])
      finish({ status: 503, body: 'the agent is no longer connected' });
    this.#options.link.disconnected(this.#connection);
    this.#options.onEnd(this.#reason);
  }
}
