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
  /** What the principal says that it is, and where it is. */
  readonly version: string;
  readonly namespace: string;
  readonly onRefused: (agent: string, reason: string) => void;
}

type AuthResponseInit = MessageInitShape<typeof AuthResponseSchema>;

/** What an agent has last said of itself. */
export interface AgentInfo {
  readonly version: string;
  readonly namespace: string;
}

const accessSeconds = 15 * 60;
const refreshSeconds = 24 * 3600;

/** Who may come in: by certificate, then with a token; whoever may not is told why, and so is the hub. */
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

  /** Who calls; a caller without a certificate that is believed is told why. */
  identify({ name, certificateProblem, fingerprint }: Caller): string {
    const refuse = (reason: string): never => {
      if (name) this.#options.onRefused(name, reason);
      throw new GrpcError(grpcStatus.unauthenticated, reason);
    };
    if (certificateProblem !== undefined) return refuse(certificateProblem);
    if (name === undefined) return refuse('the certificate names nobody');
    const blocked = this.#options.agents.find(name)?.spec.blockedCertificates ?? [];
    return fingerprint && blocked.includes(fingerprint) ? refuse('the certificate is on the blocklist') : name;
  }

  async authenticate(
    { method, mode, version, agentNamespace, credentials }: AuthRequest,
    caller: Caller,
  ): Promise<AuthResponseInit> {
    if (!isMode(mode))
      throw new GrpcError(grpcStatus.invalidArgument, `the mode '${mode}' is neither managed nor autonomous`);
    if (method !== 'mtls')
      throw new GrpcError(
        grpcStatus.unauthenticated,
        `agents prove their name with a certificate (mtls), not with '${method}'`,
      );
    const agent = this.identify(caller);
    await this.#options.agents.read(agent);
    this.#admit({ clientID: agent, mode }, credentials['fairlead.cluster']);
    this.#infos.set(agent, { version, namespace: agentNamespace });
    return this.#issueTokens({ clientID: agent, mode });
  }

  /** The next tokens; says whose, and for how long the new one is good. */
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

  /** Whom the token of an agent is for, and until when: itself, or it is refused. */
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
      : refuse(grpcStatus.permissionDenied, `agent ${agent} shows the token of agent ${clientID}`);
  }

  #admit({ clientID: agent, mode }: TokenSubject, cluster: string | undefined): void {
    const found = this.#options.agents.find(agent);
    const known = found && {
      mode: found.spec.mode,
      ...(found.status?.cluster ? { cluster: found.status.cluster } : {}),
      blocked: found.spec.blocked ?? false,
    };
    const admission = admit(known, { agent, mode, ...(cluster ? { cluster } : {}) });
    if (admission.admitted) return;
    this.#options.onRefused(agent, admission.reason);
    throw new GrpcError(grpcStatus.permissionDenied, admission.reason);
  }

  /** Who opens a stream, and as what. */
  authenticateStream({ caller }: ServerCall): TokenSubject & { readonly until: number } {
    const { subject, until } = this.#verifyToken(this.identify(caller), caller.token, 'access');
    this.#admit(subject, undefined);
    return { ...subject, until };
  }
}
