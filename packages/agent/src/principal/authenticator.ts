import type { KeyObject } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@fairlead/kube';
import { isMode } from '../core/kinds.ts';
import type { AuthRequest, AuthResponseSchema, RefreshTokenRequest } from '../wire/gen/auth_pb.ts';
import { GrpcError, grpcStatus } from '../wire/grpc-frames.ts';
import type { Caller, ServerCall } from '../wire/grpc-server.ts';
import { type TokenSubject, Tokens, type TokenUse } from '../wire/tokens.ts';
import { admit } from './admission.ts';
import type { KnownAgents } from './known-agents.ts';

export interface AuthenticatorOptions {
  readonly tokenKey: KeyObject;
  readonly clock: Clock;
  readonly agents: Pick<KnownAgents, 'find' | 'read'>;
  /** The version and namespace that the principal reports to agents. */
  readonly version: string;
  readonly namespace: string;
  readonly onRefused: (agent: string, reason: string) => void;
}

type AuthResponseInit = MessageInitShape<typeof AuthResponseSchema>;

/** The last report of an agent. */
export interface AgentInfo {
  readonly version: string;
  readonly namespace: string;
}

const accessSeconds = 15 * 60;
const refreshSeconds = 24 * 3600;

/** Authenticates agents: by certificate, then by token. A refusal is reported to the caller and to the hub. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #tokens: Tokens;
  readonly #infos = new Map<string, AgentInfo>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#tokens = new Tokens(options.tokenKey, options.clock);
  }

  infoOf(agent: string): AgentInfo | undefined {
    return this.#infos.get(agent);
  }

  /** The agent that calls; throws if its certificate is not trusted. */
  identify({ name, agentUid, certificateProblem, fingerprint }: Caller): string {
    const refuse = (reason: string): never => {
      if (name) this.#options.onRefused(name, reason);
      throw new GrpcError(grpcStatus.unauthenticated, reason);
    };
    if (certificateProblem !== undefined) return refuse(certificateProblem);
    if (name === undefined) return refuse('the certificate contains no name');
    const known = this.#options.agents.find(name);
    if (known && agentUid !== undefined && agentUid !== known.metadata.uid)
      return refuse(
        `the certificate was issued to an earlier agent ${name}, which was deleted: the cluster must join again`,
      );
    const blocked = known?.spec.blockedCertificates ?? [];
    return fingerprint && blocked.includes(fingerprint) ? refuse('the certificate is on the blocklist') : name;
  }

  async authenticate(
    { method, mode, version, agentNamespace, credentials }: AuthRequest,
    caller: Caller,
  ): Promise<AuthResponseInit> {
    if (!isMode(mode))
      throw new GrpcError(grpcStatus.invalidArgument, `mode '${mode}' is invalid: it must be managed or autonomous`);
    if (method !== 'mtls')
      throw new GrpcError(grpcStatus.unauthenticated, `authentication method '${method}' is not supported: use mtls`);
    // A new Agent may not be in the cache yet.
    if (caller.name && caller.certificateProblem === undefined) await this.#options.agents.read(caller.name);
    const agent = this.identify(caller);
    this.#admit({ clientID: agent, mode }, credentials['fairlead.cluster']);
    this.#infos.set(agent, { version, namespace: agentNamespace });
    return this.#issueTokens({ clientID: agent, mode });
  }

  /** Issues new tokens; returns the agent, and the validity of the access token. */
  refreshToken(
    { refreshToken }: RefreshTokenRequest,
    caller: Caller,
  ): { answer: AuthResponseInit; agent: string; tokenMs: number } {
    const agent = this.identify(caller);
    const { subject } = this.#verifyToken(agent, refreshToken, 'refresh');
    this.#admit(subject, undefined);
    return { answer: this.#issueTokens(subject), agent, tokenMs: accessSeconds * 1000 };
  }

  #issueTokens(subject: TokenSubject): AuthResponseInit {
    return {
      accessToken: this.#tokens.issue(subject, 'access', accessSeconds),
      refreshToken: this.#tokens.issue(subject, 'refresh', refreshSeconds),
      version: this.#options.version,
      principalNamespace: this.#options.namespace,
    };
  }

  /** The subject of an agent's token and its expiry; throws if it is the token of another agent. */
  #verifyToken(agent: string, token: string | undefined, use: TokenUse): { subject: TokenSubject; until: number } {
    const read = this.#tokens.read(token ?? '', use);
    const refuse = (code: number, reason: string): never => {
      this.#options.onRefused(agent, reason);
      throw new GrpcError(code, reason);
    };
    if ('problem' in read) return refuse(grpcStatus.unauthenticated, read.problem);
    const { clientID } = read.subject;
    return clientID === agent
      ? read
      : refuse(grpcStatus.permissionDenied, `agent ${agent} uses the token of agent ${clientID}`);
  }

  #admit({ clientID: agent, mode }: TokenSubject, cluster: string | undefined): void {
    const found = this.#options.agents.find(agent);
    const known = found && {
      mode: found.spec.mode,
      ...(found.status?.cluster ? { cluster: found.status.cluster } : {}),
      blocked: found.spec.blocked ?? false,
    };
    const admission = admit(known, {
      agent,
      controlPlaneNamespace: this.#options.namespace,
      mode,
      ...(cluster ? { cluster } : {}),
    });
    if (admission.admitted) return;
    this.#options.onRefused(agent, admission.reason);
    throw new GrpcError(grpcStatus.permissionDenied, admission.reason);
  }

  /** Authenticates the caller that opens a stream. */
  authenticateStream({ caller }: ServerCall): TokenSubject & { readonly until: number } {
    const { subject, until } = this.#verifyToken(this.identify(caller), caller.token, 'access');
    this.#admit(subject, undefined);
    return { ...subject, until };
  }
}
