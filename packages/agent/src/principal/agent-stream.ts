import { randomUUID } from 'node:crypto';
import { messageOf } from '@fairlead/apimachinery';
import type { Clock, Logger } from '@fairlead/kube';
import type { Mapping } from '../core/kinds.ts';
import { isByDestination } from '../core/side.ts';
import type { Connection } from '../link/connection.ts';
import type { Link } from '../link/link.ts';
import { Liveness } from '../link/liveness.ts';
import type { Capabilities } from '../wire/capabilities.ts';
import { decodeEvent, encodeEvent } from '../wire/cloud-event.ts';
import { type Codec, codecFor } from '../wire/codec.ts';
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
  /** The capabilities that both sides have. */
  readonly knows: Capabilities;
  readonly principalUid: string;
  /** The namespace of Applications at an agent of argocd-agent. */
  readonly agentNamespace: string | undefined;
  /** The remaining validity of the token with which the stream was opened. */
  readonly tokenMs: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
  /** Called for each event. */
  readonly onTraffic?: (direction: 'received' | 'sent') => void;
  readonly onEnd: (reason: string | undefined) => void;
}

const silenceMs = 60_000;
const liveRequestMs = 10_000;
const probeMs = 60_000;
const firstProbeMs = 1_000;
/** Rejected input is reported for this long; the agent's heartbeats trigger the update that removes it. */
const rejectedInputMs = 10 * 60_000;

/** An agent of argocd-agent refuses a request without a reason, and answers with nothing what it does not know. */
export function explained({ status, body }: LiveAnswer): LiveAnswer {
  if (body !== '') return { status, body };
  const reason =
    status === 404
      ? 'the object does not exist'
      : 'an agent of argocd-agent shows only objects of Applications by their names, lists of events, and the API resources';
  return { status: status === 200 ? 501 : status, body: reason };
}

/** One open stream of one agent. */
export class AgentStream {
  readonly since: number;
  readonly fingerprint: string | undefined;
  readonly #options: AgentStreamOptions;
  readonly #codec: Codec;
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
    this.#codec = codecFor('principal', options.knows, {
      principalUid: options.principalUid,
      namespaceOf: (namespace) => this.#namespaceOf(namespace),
    });
    this.#connection = {
      peer: {
        fairlead: options.knows.fairlead,
        gpgKeys: options.knows.gpgKeys,
        maxBytes: options.maxBytes,
      },
      send: (message) => {
        for (const event of this.#codec.encode(message)) this.#send(encodeEvent(event));
      },
      setPaused: (paused) => options.call.setPaused(paused),
      sizeOf: (message) => (message.type === 'upsert' ? this.#codec.sizeOf(message.object) : 0),
    };
    this.#liveness = new Liveness(options.clock, silenceMs, () => {
      this.end(new GrpcError(grpcStatus.unavailable, `no message was received for ${silenceMs / 1000} s`));
    });
  }

  get mapping(): Mapping {
    return this.#options.link.side.mapping ?? 'namespace';
  }

  get isFairlead(): boolean {
    return this.#options.knows.fairlead;
  }

  /** Whether the agent accepts requests of live access through tunnels. */
  get hasTunnels(): boolean {
    return this.#options.knows.tunnels;
  }

  get live(): { readonly ok: boolean; readonly reason?: string } | undefined {
    return this.#live;
  }

  /** The agent has a new token with this validity. Agents of argocd-agent do not refresh while their stream is open. */
  refreshed(tokenMs: number): void {
    this.#cancelExpiry();
    if (!this.#options.knows.fairlead || this.#ended) return;
    this.#cancelExpiry = this.#options.clock.after(tokenMs, () =>
      this.end(new GrpcError(grpcStatus.unauthenticated, tokenExpired)),
    );
  }

  #cancelExpiry = () => {};

  /** An event that was received on another call. */
  push(bytes: Buffer): void {
    this.#receive(bytes);
  }

  start(): void {
    const { call, link } = this.#options;
    call.onMessage = (bytes) => this.#receive(bytes);
    call.onTooLarge = (size) =>
      this.#rejectInput(`skipped a message of ${(size / 2 ** 20).toFixed(1)} MiB, which is too large`);
    call.onEnd = () => this.#close();
    this.refreshed(this.#options.tokenMs);
    link.connected(this.#connection);
    // Later, because the resync after a reconnect is more urgent.
    this.#cancelProbe = this.#options.clock.after(firstProbeMs, () => this.#probe());
  }

  end(error: GrpcError): void {
    this.#reason ??= error.message;
    this.#options.call.end(error);
    this.#close();
  }

  #send(bytes: Uint8Array): void {
    this.#options.onTraffic?.('sent');
    this.#options.call.send(bytes);
  }

  async liveRequest(path: string): Promise<LiveAnswer> {
    const parsed = requestOf(path);
    if (!parsed) return { status: 400, body: `${path} is not a path of the Kubernetes API` };
    const uuid = randomUUID();
    return new Promise((resolve) => {
      const finish = (answer: LiveAnswer): void => {
        cancel();
        this.#liveRequests.delete(uuid);
        resolve(answer);
      };
      const cancel = this.#options.clock.after(liveRequestMs, () =>
        finish({ status: 504, body: 'the agent did not respond in time' }),
      );
      this.#liveRequests.set(uuid, finish);
      this.#send(encodeEvent(this.#codec.encodeResourceRequest({ uuid, method: 'GET', ...parsed })));
    });
  }

  requestLog(request: LogRequest): void {
    this.#send(encodeEvent(this.#codec.encodeLogRequest(request)));
  }

  /** The certificate may be compromised: the agent should renew it now. */
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
    this.#send(encodeEvent(this.#codec.encodeResourceRequest(request)));
  }

  #renewed: string | undefined;

  /** Agents of argocd-agent send the namespace of each object, which matters only for agents that are mapped by destination. */
  #namespaceOf(namespace: string | undefined): string | undefined {
    const { link, agentNamespace } = this.#options;
    const usual = namespace === link.side.namespace || namespace === agentNamespace;
    return usual || !isByDestination(link.side) ? undefined : namespace;
  }

  #receive(bytes: Buffer): void {
    this.#liveness.received();
    const { link, onTraffic } = this.#options;
    onTraffic?.('received');
    let event: ReturnType<typeof decodeEvent>;
    try {
      event = decodeEvent(bytes);
    } catch (error) {
      return this.#rejectInput(`skipped a message that is not an event: ${messageOf(error)}`);
    }
    const decoded = this.#codec.decode(event);
    switch (decoded.is) {
      case 'message':
        return link.receive(this.#connection, decoded.message);
      case 'resource-response':
        this.#liveRequests.get(decoded.response.uuid)?.(
          this.#options.knows.fairlead ? decoded.response : explained(decoded.response),
        );
        return this.#send(encodeEvent(this.#codec.encodeAcknowledgement(decoded.number, decoded)));
      case 'reply':
        return this.#send(encodeEvent(decoded.event));
      case 'handled':
        return;
      case 'ignored':
        return this.#send(encodeEvent(this.#codec.encodeAcknowledgement(decoded.number)));
      case 'unknown':
        this.#rejectInput(decoded.reason);
        return this.#send(encodeEvent(this.#codec.encodeAcknowledgement(decoded.number, { error: decoded.reason })));
      default:
        return this.#send(
          encodeEvent(
            this.#codec.encodeAcknowledgement(decoded.number, { error: 'agents have no live access to the principal' }),
          ),
        );
    }
  }

  #rejectInput(reason: string): void {
    const { log, agent, clock, onChange } = this.#options;
    log.warn('rejected input from an agent', { agent, reason });
    this.#rejectedInput = { reason, at: clock.now() };
    onChange();
  }

  /** A recently rejected message of the agent. */
  get rejectedInput(): string | undefined {
    const age = this.#rejectedInput ? this.#options.clock.now() - this.#rejectedInput.at : 0;
    return age <= rejectedInputMs ? this.#rejectedInput?.reason : undefined;
  }

  #rejectedInput: { readonly reason: string; readonly at: number } | undefined;

  #probe(): void {
    // Agents of argocd-agent answer for resources and lists of them, and not for the version.
    void this.liveRequest(this.#options.knows.fairlead ? '/version' : '/api/v1').then(({ status, body }) => {
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
