import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Agent } from '@fairlead/api';
import { must } from '@fairlead/apimachinery';
import {
  type ApiClient,
  type Clock,
  type Logger,
  limits,
  type MetricsRegistry,
  onAbort,
  type Random,
} from '@fairlead/kube';
import type { LinkSettings } from '../link/make-link.ts';
import { capabilitiesOf, shared } from '../wire/capabilities.ts';
import { Authentication } from '../wire/gen/auth_pb.ts';
import { EventStream, PushSummarySchema } from '../wire/gen/eventstream_pb.ts';
import { LogStreamService } from '../wire/gen/logstream_pb.ts';
import { Registration as RegistrationService } from '../wire/gen/registration_pb.ts';
import { LiveAccess } from '../wire/gen/tunnel_pb.ts';
import { Version } from '../wire/gen/version_pb.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import { type GrpcServer, type ServerCall, startGrpcServer } from '../wire/grpc-server.ts';
import type { LogRequest } from '../wire/live-request.ts';
import { encodeMessage, methodPath, unaryMethod } from '../wire/rpc.ts';
import type { AgentObservation } from './agent-status.ts';
import { AgentStream, type LiveAnswer } from './agent-stream.ts';
import { Authenticator } from './authenticator.ts';
import { Authority } from './authority.ts';
import { writeAddress } from './invitations.ts';
import { KnownAgents } from './known-agents.ts';
import { LogRequests } from './log-stream.ts';
import { PrincipalLinks } from './principal-links.ts';
import { type PrincipalMetrics, principalMetrics } from './principal-metrics.ts';
import { Refusals } from './refusals.ts';
import { Registration } from './registration.ts';
import { StatusWriter } from './status-writer.ts';
import { NoTunnel, Tunnels } from './tunnels.ts';

export interface PrincipalOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  /** Patterns of other namespaces whose Applications go to the agents that their destinations name. */
  readonly applicationNamespaces?: readonly string[];
  readonly host: string;
  readonly port: number;
  /** Names and addresses under which agents reach it; invitations contain the first. */
  readonly names: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly registry?: MetricsRegistry;
  readonly link?: Partial<LinkSettings>;
  readonly maxBytes?: number;
  /** The validity of agents' certificates. */
  readonly certificateDays?: number;
}

export const defaultMaxBytes = limits.agentMessageBytes;

/** The principal: accepts agents, and keeps each agent's cluster and the hub equal. */
export class Principal {
  readonly #options: PrincipalOptions;
  readonly #authority: Authority;
  readonly #authenticator: Authenticator;
  readonly #hub: PrincipalLinks;
  readonly #agents: KnownAgents;
  readonly #streams = new Map<string, AgentStream>();
  readonly #refusals = new Refusals();
  readonly #logs: LogRequests;
  readonly #tunnels: Tunnels;
  readonly #statuses: StatusWriter;
  readonly #registration: Registration;
  readonly #metrics: PrincipalMetrics | undefined;
  #server: GrpcServer | undefined;
  #cancelRenewal = () => {};

  private constructor(options: PrincipalOptions, authority: Authority) {
    this.#options = options;
    this.#authority = authority;
    const { client, namespace, clock, random, log } = options;
    this.#logs = new LogRequests(clock);
    this.#tunnels = new Tunnels(clock);
    this.#hub = new PrincipalLinks({
      client,
      namespace,
      ...(options.applicationNamespaces ? { namespaces: options.applicationNamespaces } : {}),
      isTaken: (name) => {
        const agent = this.#find(name);
        return agent !== undefined && agent.spec.mapping !== 'destination';
      },
      agentExists: ({ agent, uid }) => {
        const known = this.#find(agent);
        return known !== undefined && (uid === undefined || known.metadata.uid === uid);
      },
      settings: { clock, random, log, epoch: randomUUID().slice(0, 8), nonce: () => randomUUID(), ...options.link },
      onReport: (agent) => this.#statuses.changed(agent),
    });
    this.#statuses = new StatusWriter({ client, namespace, clock, log, observe: (agent) => this.#observe(agent) });
    const { certificateDays } = options;
    const statuses = this.#statuses;
    this.#registration = new Registration({ client, namespace, clock, log, authority, statuses, certificateDays });
    this.#agents = new KnownAgents({
      ...{ client, namespace, clock, random, log },
      onChange: (agent) => this.#agentChanged(agent),
      onGone: (name) => this.#agentGone(name),
    });
    this.#authenticator = new Authenticator({
      tokenKey: authority.tokenKey,
      clock,
      agents: this.#agents,
      version: options.version,
      namespace,
      onRefused: (agent, reason) => this.#refused(agent, reason),
    });
    this.#metrics =
      options.registry && principalMetrics(options.registry, () => [...this.#streams.values()], this.#hub);
  }

  static async start(options: PrincipalOptions, signal: AbortSignal): Promise<Principal> {
    const { client, namespace } = options;
    const principal = new Principal(options, await Authority.load(client, namespace));
    await Promise.all([principal.#hub.start(signal), principal.#agents.start(signal)]);
    await principal.#listen().catch(async (error: unknown) => {
      await principal.close();
      throw error;
    });
    onAbort(signal, () => void principal.close());
    return principal;
  }

  get port(): number {
    return must(this.#server, 'the server of a started principal').port;
  }

  get ca(): string {
    return this.#authority.ca;
  }

  get address(): string {
    return `${this.#options.names[0]}:${this.port}`;
  }

  /** A request to an agent's cluster, through the agent. */
  liveRequest(agent: string, path: string): Promise<LiveAnswer> {
    const stream = this.#streams.get(agent);
    if (!stream) return Promise.resolve({ status: 503, body: `agent ${agent} is not connected` });
    return stream.liveRequest(path);
  }

  /** The last lines of a container's log, through the agent. */
  async logs(agent: string, request: Omit<LogRequest, 'uuid' | 'follow'>): Promise<LiveAnswer> {
    const stream = this.#streams.get(agent);
    if (!stream) return { status: 503, body: `agent ${agent} is not connected` };
    const answer = await this.#logs.request(agent, (uuid) => stream.requestLog({ uuid, ...request }));
    // An agent of argocd-agent sends timestamps whether they were requested or not.
    const plain = answer.status === 200 && !stream.isFairlead && !request.timestamps;
    return plain ? { ...answer, body: answer.body.replaceAll(/^\d{4}-\d\d-\d\dT\S+ /gmu, '') } : answer;
  }

  /** A connection to the API of an agent's cluster, for one HTTP request. Throws `NoTunnel` if there is none. */
  async tunnelTo(agent: string): Promise<Duplex> {
    const stream = this.#streams.get(agent);
    if (!stream) throw new NoTunnel(503, `agent ${agent} is not connected`);
    if (!stream.hasTunnels) throw new NoTunnel(501, `agent ${agent} does not support live access through tunnels`);
    return this.#tunnels.connect(agent);
  }

  async close(): Promise<void> {
    this.#cancelRenewal();
    this.#statuses.close();
    for (const stream of this.#streams.values())
      stream.end(new GrpcError(grpcStatus.unavailable, 'the principal is shutting down'));
    await this.#server?.close();
    await this.#hub.written();
  }

  async #listen(): Promise<void> {
    const { host, port, names, client, namespace, clock, log, maxBytes = defaultMaxBytes } = this.#options;
    const issue = () => this.#authority.issueServer(names);
    const identity = await issue();
    const { ca } = this.#authority;
    this.#server = await startGrpcServer({
      ...identity,
      ca,
      host,
      port,
      maxBytes,
      unary: Object.fromEntries([
        unaryMethod(Authentication.method.authenticate, (request, caller) =>
          this.#authenticator.authenticate(request, caller),
        ),
        unaryMethod(Authentication.method.refreshToken, (request, caller) => {
          const { answer, agent, tokenMs } = this.#authenticator.refreshToken(request, caller);
          this.#streams.get(agent)?.refreshed(tokenMs);
          return answer;
        }),
        unaryMethod(Version.method.version, () => ({ version: this.#options.version })),
        unaryMethod(EventStream.method.ping, () => ({})),
        unaryMethod(RegistrationService.method.join, (request) => this.#registration.join(request)),
        unaryMethod(RegistrationService.method.renew, (request, caller) => {
          const agent = this.#authenticator.identify(caller);
          return this.#registration.renew(request, agent, this.#find(agent));
        }),
      ]),
      streams: {
        [methodPath(EventStream.method.subscribe)]: (call) => this.#subscribe(call),
        [methodPath(EventStream.method.push)]: (call) => this.#push(call),
        [methodPath(LogStreamService.method.streamLogs)]: (call) => {
          this.#logs.receive(this.#authenticator.authenticateStream(call).clientID, call);
        },
        [methodPath(LiveAccess.method.tunnel)]: (call) => {
          const { clientID: agent } = this.#authenticator.authenticateStream(call);
          if (!this.#streams.has(agent))
            throw new GrpcError(grpcStatus.failedPrecondition, `agent ${agent} has no open stream`);
          this.#tunnels.add(agent, call);
        },
      },
      manyStreams: new Set([methodPath(LiveAccess.method.tunnel)]),
    });
    const renewLater = (expires: number): void => {
      // Never immediately: a renewal that fails is repeated even after the certificate has expired.
      const wait = Math.max(((expires - clock.now()) * 2) / 3, 60_000);
      this.#cancelRenewal = clock.after(wait, () => {
        issue().then(
          (next) => {
            this.#server?.setCertificate({ ...next, ca });
            renewLater(next.expires);
          },
          (error: unknown) => {
            log.warn('cannot renew the certificate of the principal', { error });
            renewLater(expires);
          },
        );
      });
    };
    renewLater(identity.expires);
    await writeAddress(client, namespace, this.address, ca);
  }

  /** Events in one direction; answers are sent over the agent's stream. */
  #push(call: ServerCall): void {
    const { clientID: agent } = this.#authenticator.authenticateStream(call);
    const stream = this.#streams.get(agent);
    if (!stream) throw new GrpcError(grpcStatus.failedPrecondition, `agent ${agent} has no open stream`);
    let received = 0;
    call.onMessage = (bytes) => {
      received += 1;
      stream.push(bytes);
    };
    call.onLast = () => call.send(encodeMessage(PushSummarySchema, { received }));
  }

  #subscribe(call: ServerCall): void {
    const { clientID: agent, mode, until } = this.#authenticator.authenticateStream(call);
    if (this.#find(agent)?.spec.drained) throw new GrpcError(grpcStatus.unavailable, `agent ${agent} is drained`);
    this.#streams.get(agent)?.end(new GrpcError(grpcStatus.cancelled, 'replaced by a newer stream of this agent'));
    const known = this.#find(agent);
    const uid = known?.metadata.uid;
    const link = this.#hub.link({ agent, ...(uid ? { uid } : {}) }, mode, known?.spec.mapping);
    const stream: AgentStream = new AgentStream({
      agent,
      call,
      link,
      knows: shared(
        capabilitiesOf(this.#options.version),
        capabilitiesOf(this.#authenticator.infoOf(agent)?.version ?? ''),
      ),
      principalUid: this.#authority.uid,
      agentNamespace: this.#authenticator.infoOf(agent)?.namespace || undefined,
      tokenMs: until - this.#options.clock.now(),
      maxBytes: this.#options.maxBytes ?? defaultMaxBytes,
      clock: this.#options.clock,
      log: this.#options.log,
      onChange: () => this.#statuses.changed(agent),
      onTraffic: (direction) => this.#metrics?.traffic(direction),
      onEnd: (reason) => {
        if (this.#streams.get(agent) === stream) {
          this.#streams.delete(agent);
          this.#tunnels.close(agent);
        }
        if (reason) this.#refusals.note(agent, reason, this.#options.clock.now());
        this.#statuses.changed(agent);
      },
    });
    this.#streams.set(agent, stream);
    this.#metrics?.connected(agent);
    this.#refusals.forget(agent);
    stream.start();
    const confirm = this.#find(agent)?.spec.confirmDeletions;
    if (confirm) link.confirmDeletions(confirm);
  }

  #find(agent: string): Agent | undefined {
    return this.#agents.find(agent);
  }

  #agentChanged(agent: Agent): void {
    const { name } = agent.metadata;
    const { blocked, drained, blockedCertificates = [], confirmDeletions, renew } = agent.spec;
    const stream = this.#streams.get(name);
    if (blocked) stream?.end(new GrpcError(grpcStatus.permissionDenied, `agent ${name} is blocked`));
    else if (stream && (agent.spec.mapping ?? 'namespace') !== stream.mapping)
      stream.end(new GrpcError(grpcStatus.cancelled, 'the mapping of this agent has changed'));
    else if (drained) stream?.end(new GrpcError(grpcStatus.unavailable, `agent ${name} is drained`));
    else if (stream?.fingerprint && blockedCertificates.includes(stream.fingerprint)) {
      stream.end(new GrpcError(grpcStatus.unauthenticated, 'the certificate is on the blocklist'));
    }
    if (confirmDeletions) this.#hub.find(name)?.confirmDeletions(confirmDeletions);
    if (renew) stream?.requestRenewal(renew);
  }

  #agentGone(agent: string): void {
    this.#streams.get(agent)?.end(new GrpcError(grpcStatus.permissionDenied, `agent ${agent} was deleted`));
    this.#hub.forget(agent);
  }

  #refused(agent: string, reason: string): void {
    this.#options.log.warn('refused an agent', { agent, reason });
    this.#refusals.note(agent, reason, this.#options.clock.now());
    this.#statuses.changed(agent);
  }

  #observe(agent: string): { readonly known: Agent; readonly observation: AgentObservation } | undefined {
    const known = this.#find(agent);
    if (!known) return undefined;
    const stream = this.#streams.get(agent);
    const observation: AgentObservation = {
      report: this.#hub.find(agent)?.report(),
      version: this.#authenticator.infoOf(agent)?.version,
      connectedAt: stream?.since,
      refusal: this.#refusals.of(agent, stream ? this.#options.clock.now() : undefined),
      rejectedInput: stream?.rejectedInput,
      live: stream?.live,
      blocked: known.spec.blocked ?? false,
      now: this.#options.clock.now(),
    };
    return { known, observation };
  }
}
