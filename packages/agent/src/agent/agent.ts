import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { messageOf } from '@fairlead/apimachinery';
import {
  type ApiClient,
  Backoff,
  type Clock,
  type Logger,
  type MetricsRegistry,
  onAbort,
  type Random,
  sleep,
} from '@fairlead/kube';
import type { Connection } from '../link/connection.ts';
import type { LinkReport } from '../link/link-options.ts';
import { Liveness } from '../link/liveness.ts';
import type { LinkSettings } from '../link/make-link.ts';
import { argocdAgentMetrics, metricDefinitions } from '../metric-definitions.ts';
import { type Capabilities, capabilitiesOf, shared } from '../wire/capabilities.ts';
import { decodeEvent, encodeEvent } from '../wire/cloud-event.ts';
import { type Codec, codecFor } from '../wire/codec.ts';
import { Authentication } from '../wire/gen/auth_pb.ts';
import { EventStream } from '../wire/gen/eventstream_pb.ts';
import { type ClientCall, GrpcClient, type GrpcClientOptions } from '../wire/grpc-client.ts';
import type { LogRequest, ResourceRequest } from '../wire/live-request.ts';
import { callUnary, methodPath } from '../wire/rpc.ts';
import { AgentRuntime } from './agent-runtime.ts';
import { type AgentIdentity, agentUidOf, renew, renewAt, writeIdentity } from './identity.ts';
import { type LivePolicy, readOnly } from './live-policy.ts';
import { answerLiveRequest, type Reader } from './live-requests.ts';
import { type LiveCluster, liveServer } from './live-server.ts';
import { keepTunnels } from './live-tunnels.ts';
import { versionFor } from './peer-version.ts';
import { type OpenLog, sendLog } from './send-log.ts';
import { type IssuedTokens, refreshTokens } from './token-refresh.ts';

export interface AgentOptions {
  readonly client: ApiClient;
  readonly identity: AgentIdentity;
  readonly namespace: string;
  /** Patterns of other namespaces in which the hub may have Applications here. */
  readonly applicationNamespaces?: readonly string[];
  /** Identifies this cluster. */
  readonly cluster: string;
  readonly version: string;
  /** Announced to the principal in place of `version`. By default a principal of argocd-agent receives its own version, the only one that it accepts. */
  readonly peerVersion?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly registry?: MetricsRegistry;
  readonly link?: Partial<LinkSettings>;
  readonly maxBytes?: number;
  readonly policy?: LivePolicy;
  /** Sends requests to this cluster's API, for live access by events. */
  readonly read?: Reader;
  /** The API of this cluster, for logs and for live access through tunnels. */
  readonly live?: LiveCluster;
  /** Connects to this address instead of the identity's: through a proxy or a forwarded port. */
  readonly address?: string;
  /** Reads the identity again before each connection, if another program renews it. */
  readonly reload?: () => Promise<AgentIdentity | undefined>;
}

const silenceMs = 60_000;

/** The parameters for calling the principal. */
interface PrincipalCalls {
  readonly client: GrpcClient;
  readonly token: () => string;
}

/** The agent: connects to the principal, reconnects forever, and keeps its cluster and the hub equal. */
export class ClusterAgent {
  readonly #options: AgentOptions;
  readonly #runtime: AgentRuntime;
  #identity: AgentIdentity;
  #reason: string | undefined = 'the agent has not connected yet';
  #stream: ClientCall | undefined;
  #dials = 0;
  #receivedAny = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#identity = options.identity;
    const { client, identity, namespace, clock, random, log } = options;
    const agentUid = agentUidOf(identity.cert);
    this.#runtime = new AgentRuntime({
      client,
      agent: identity.agent,
      ...(agentUid ? { agentUid } : {}),
      mode: identity.mode,
      namespace,
      ...(options.applicationNamespaces ? { namespaces: options.applicationNamespaces } : {}),
      settings: { clock, random, log, epoch: randomUUID().slice(0, 8), nonce: () => randomUUID(), ...options.link },
    });
    this.#measure(options.registry);
  }

  /** Why there is no stream; undefined while there is one. */
  get reason(): string | undefined {
    return this.#reason;
  }

  get identity(): AgentIdentity {
    return this.#identity;
  }

  get dials(): number {
    return this.#dials;
  }

  get comparedAt(): number | undefined {
    return this.#runtime.link.comparedAt;
  }

  report(): LinkReport {
    return this.#runtime.link.report();
  }

  /** The traffic of the stream since it opened. */
  readonly traffic = { bytes: 0, openedAt: 0 };

  /** Closes the present stream; the agent reconnects as after any failure. */
  breakStream(): void {
    this.#stream?.close();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options;
    await this.#runtime.start(signal).catch(() => {});
    const backoff = new Backoff(random, { baseMs: 300, maxMs: 10_000 });
    while (!signal.aborted) {
      this.#receivedAny = false;
      try {
        await this.#session(signal);
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== this.#reason && !signal.aborted)
          log.warn('cannot connect to the principal', { agent: this.#identity.agent, reason });
        this.#reason = reason;
      }
      // The connection worked before it broke, so the next attempt is not delayed.
      if (this.#receivedAny) backoff.reset();
      if (!signal.aborted) await sleep(clock, backoff.next(), signal).catch(() => {});
    }
    await this.#runtime.stopped();
  }

  /** One connection, until it closes. */
  async #session(signal: AbortSignal): Promise<void> {
    this.#identity = (await this.#options.reload?.()) ?? this.#identity;
    const { agent, ca, cert, key } = this.#identity;
    const { address = this.#identity.address, maxBytes = 8 * 2 ** 20, clock, log } = this.#options;
    this.#dials += 1;
    const connect = { address, ca, cert, key, maxBytes };
    const client = await GrpcClient.connect(connect);
    // The agent may have been stopped while it connected.
    const unsubscribe = onAbort(signal, () => client.close());
    const cancels: (() => void)[] = [];
    try {
      const { tokens, knows } = await this.#authenticate(client);
      const refreshed = refreshTokens(client, tokens, clock, log);
      cancels.push(refreshed.stop);
      // A principal of argocd-agent does not issue certificates.
      if (knows.fairlead) cancels.push(this.#keepCertificate(client));
      if (knows.tunnels) cancels.push(this.#serveLive(connect, refreshed.accessToken));
      log.info('connected to the principal', { agent, address });
      await this.#subscribe(client, refreshed.accessToken, knows, clock);
    } finally {
      for (const cancel of cancels) cancel();
      unsubscribe();
      client.close();
    }
  }

  async #authenticate(client: GrpcClient): Promise<{ tokens: IssuedTokens; knows: Capabilities }> {
    const { cluster, namespace } = this.#options;
    const version = this.#options.peerVersion ?? (await versionFor(client, this.#options.version));
    const response = await callUnary(client, Authentication.method.authenticate, {
      method: 'mtls',
      credentials: { 'fairlead.cluster': cluster },
      mode: this.#identity.mode,
      version,
      agentNamespace: namespace,
    });
    return { tokens: response, knows: shared(capabilitiesOf(version), capabilitiesOf(response.version)) };
  }

  #subscribe(client: GrpcClient, token: () => string, knows: Capabilities, clock: Clock): Promise<void> {
    const { link } = this.#runtime;
    const maxBytes = this.#options.maxBytes ?? 8 * 2 ** 20;
    const codec = codecFor('agent', knows);
    return new Promise((resolve, reject) => {
      const call: ClientCall = client.call(
        methodPath(EventStream.method.subscribe),
        {
          message: (bytes) => {
            liveness.received();
            this.#receivedAny = true;
            this.#count('received');
            this.traffic.bytes += bytes.length + 5;
            this.#receive({ client, token }, call, codec, connection, bytes);
          },
          tooLarge: (size) => this.#options.log.warn('skipped a message that is too large', { bytes: size }),
          ended: (error) => {
            liveness.stop();
            link.disconnected(connection);
            this.#stream = undefined;
            if (error) reject(error);
            else resolve();
          },
        },
        token(),
        knows.gzip,
      );
      const connection: Connection = {
        peer: { fairlead: knows.fairlead, gpgKeys: knows.gpgKeys, maxBytes },
        send: (message) => {
          for (const event of codec.encode(message)) {
            const bytes = encodeEvent(event);
            this.traffic.bytes += bytes.length + 5;
            this.#count('sent');
            call.send(bytes);
          }
        },
        sizeOf: (message) => ('object' in message ? codec.sizeOf(message.object) : 0),
      };
      const liveness = new Liveness(clock, silenceMs, () => call.close());
      this.#stream = call;
      this.#connectedAt = clock.now();
      this.#count('connections');
      this.#reason = undefined;
      Object.assign(this.traffic, { bytes: 0, openedAt: performance.now() });
      link.connected(connection);
    });
  }

  #receive(principal: PrincipalCalls, call: ClientCall, codec: Codec, connection: Connection, bytes: Buffer): void {
    const { log } = this.#options;
    let event: ReturnType<typeof decodeEvent>;
    try {
      event = decodeEvent(bytes);
    } catch (error) {
      return log.warn('skipped a message that is not an event', { reason: messageOf(error) });
    }
    const decoded = codec.decode(event);
    switch (decoded.is) {
      case 'message':
        return this.#runtime.link.receive(connection, decoded.message);
      case 'resource-request':
        call.send(encodeEvent(codec.encodeAcknowledgement(decoded.number, decoded)));
        return void this.#answerLive(principal.client, call, codec, decoded.request, decoded.trace);
      case 'log-request':
        call.send(encodeEvent(codec.encodeAcknowledgement(decoded.number, decoded)));
        return this.#sendLog(principal, decoded.request);
      case 'ignored':
        return call.send(encodeEvent(codec.encodeAcknowledgement(decoded.number)));
      case 'reply':
        return call.send(encodeEvent(decoded.event));
      case 'unknown':
        log.warn('cannot process an event', { reason: decoded.reason });
        return call.send(encodeEvent(codec.encodeAcknowledgement(decoded.number, { error: decoded.reason })));
      default:
        return;
    }
  }

  /** Serves live access until it is cancelled. */
  #serveLive(connect: GrpcClientOptions, token: () => string): () => void {
    const { policy = readOnly, live, clock, log } = this.#options;
    if (!live || policy.level === 'none') return () => {};
    const stop = new AbortController();
    const server = liveServer(live, policy, log);
    void keepTunnels({ connect, token, server, clock, log }, stop.signal);
    return () => stop.abort();
  }

  async #answerLive(
    client: GrpcClient,
    call: ClientCall,
    codec: Codec,
    request: ResourceRequest,
    trace: string | undefined,
  ): Promise<void> {
    if (request.resource === 'renew' && request.group === 'fairlead.dev') return this.#renew(client);
    const { policy = readOnly, read } = this.#options;
    const answer = read
      ? await answerLiveRequest(request, policy, read)
      : { status: 501, body: 'this agent does not permit live access' };
    call.send(encodeEvent(codec.encodeResourceResponse({ uuid: request.uuid, ...answer }, trace)));
  }

  #sendLog({ client, token }: PrincipalCalls, request: LogRequest): void {
    const { policy = readOnly, log } = this.#options;
    sendLog(request, { client, token: token(), policy, open: this.#openLog() }).catch((error: unknown) =>
      log.warn('cannot send a log', { reason: messageOf(error) }),
    );
  }

  /** A log is read piece by piece if the API of the cluster is known, and at once otherwise. */
  #openLog(): OpenLog | undefined {
    const { live, read } = this.#options;
    if (live)
      return async (path, signal) => {
        const { statusCode: status, body } = await live.forward({ method: 'GET', path, headers: {}, signal });
        return { status, body };
      };
    if (!read) return undefined;
    return async (path) => {
      const { status, text } = await read(path);
      return { status, body: Readable.from([Buffer.from(text)]) };
    };
  }

  #keepCertificate(client: GrpcClient): () => void {
    const { clock } = this.#options;
    let cancel = () => {};
    const again = (): void => {
      const wait = Math.min(Math.max(renewAt(this.#identity.cert) - clock.now(), 1_000), 24 * 3_600_000);
      cancel = clock.after(wait, () => {
        if (renewAt(this.#identity.cert) > clock.now()) return again();
        void this.#renew(client).finally(() => {
          cancel = clock.after(60_000, again);
        });
      });
    };
    again();
    return () => cancel();
  }

  /** The present stream stays open; the next one uses the new certificate. */
  async #renew(client: GrpcClient): Promise<void> {
    const { client: cluster, namespace, log } = this.#options;
    try {
      const next = await renew(client, this.#identity);
      await writeIdentity(cluster, namespace, next);
      this.#identity = next;
      log.info('renewed the certificate', { agent: next.agent });
    } catch (error) {
      log.warn('cannot renew the certificate', { reason: messageOf(error) });
    }
  }

  #measure(registry: MetricsRegistry | undefined): void {
    if (!registry) return;
    const { connected, agentPending, dials } = registry.create(metricDefinitions);
    const { connectionStatus, connectionStart, connections, received, sent } = registry.create(argocdAgentMetrics);
    this.#count = (what) => ({ connections, received, sent })[what].increase({});
    registry.onRead(() => {
      connected.set({}, this.#stream ? 1 : 0);
      connectionStatus.set({}, this.#stream ? 1 : 0);
      connectionStart.set({}, this.#connectedAt / 1000);
      agentPending.set({}, this.report().pending);
      dials.set({}, this.#dials);
    });
  }

  #count: (what: 'connections' | 'received' | 'sent') => void = () => {};
  #connectedAt = 0;
}
