import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { listAt } from '@fairlead/apimachinery';
import { EventRecorder, type Logger, type Random } from '@fairlead/kube';
import { readYaml } from '@fairlead/render/go-yaml';
import type { Gpg } from '@fairlead/source';
import { parseBool } from './accounts/account.ts';
import type { SetGenerator } from './applicationsets/set-generator.ts';
import { AuditLog } from './audit/audit-log.ts';
import type { ClusterAccess } from './clusters/cluster-infos.ts';
import { ApplicationEncoder } from './http/application-encoder.ts';
import { clientAddress, type IsTrustedProxy, trustedProxies } from './http/client-address.ts';
import type { LiveClusters } from './live/live-clusters.ts';
import { SingleSignOn } from './oidc/single-sign-on.ts';
import { denialMessage } from './rbac/enforcer.ts';
import type { AccessRequest } from './rbac/evaluator.ts';
import type { CallContext } from './rpc/call.ts';
import { permissionDenied } from './rpc/rpc-error.ts';
import { OneTimeLinks } from './session/one-time-links.ts';
import { Passwords } from './session/passwords.ts';
import { SignIn } from './session/sign-in.ts';
import { newToken, type TokenContext } from './session/verify-token.ts';
import type { ApplicationSources } from './sources/application-sources.ts';
import { RevokedTokens } from './state/revoked-tokens.ts';
import type { ServerState } from './state/server-state.ts';

export interface ServerOptions {
  readonly state: ServerState;
  readonly log: Logger;
  readonly random: Random;
  /** Nobody has to sign in, and everybody may do everything. */
  readonly disableAuth: boolean;
  /** See `SignInOptions`. */
  readonly signInMs?: number;
  readonly hydratorEnabled?: boolean;
  readonly replaceAllowed?: boolean;
  /** Without it, sources are not checked, and revisions are stored as they were given. */
  readonly sources?: ApplicationSources | undefined;
  /** Without it, nothing is generated for requests. */
  readonly setGenerator?: SetGenerator | undefined;
  /** Without it, nothing is known of what is live. */
  readonly clusters?: LiveClusters | undefined;
  readonly clusterAccess?: ClusterAccess;
  readonly gpg?: Pick<Gpg, 'readKeys'>;
  /** Globs of the namespaces, other than its own, whose Applications are served. */
  readonly applicationNamespaces?: readonly string[];
  /** Takes the lines of the audit log; without it, they are part of the log. */
  readonly auditSink?: ((line: string) => void) | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** What all calls share. */
export class Server {
  readonly state: ServerState;
  readonly log: Logger;
  readonly passwords = new Passwords();
  readonly signIn: SignIn;
  readonly options: ServerOptions;
  readonly encoder = new ApplicationEncoder();
  readonly sso: SingleSignOn;
  readonly audit: AuditLog;
  readonly events: EventRecorder;
  readonly revoked: RevokedTokens;
  readonly oneTimeLinks: OneTimeLinks;
  readonly isTrustedProxy: IsTrustedProxy;

  constructor(options: ServerOptions) {
    const { state, log, random, signInMs = 500 } = options;
    this.options = options;
    this.state = state;
    this.log = log;
    this.signIn = new SignIn({ passwords: this.passwords, clock: state.clock, random, minMs: signInMs });
    this.audit = new AuditLog({ clock: state.clock, log, sink: options.auditSink });
    this.events = new EventRecorder(state.client, {
      controller: 'fairlead.dev/server',
      instance: hostname(),
      clock: state.clock,
      log,
    });
    this.revoked = new RevokedTokens(state);
    this.oneTimeLinks = new OneTimeLinks(state.clock);
    this.isTrustedProxy = trustedProxies(options.trustedProxies ?? []);
    this.sso = new SingleSignOn({
      clock: state.clock,
      log,
      settings: () => state.settings,
      secretNamed: (name) => state.secret(name),
      secretKey: () => this.secretKey,
      isRevoked: (id) => this.revoked.has(id),
    });
  }

  /** The addresses that browsers use: `url` and `additionalUrls`. */
  get urls(): readonly string[] {
    const { url = '', additionalUrls = '' } = this.state.settings;
    let more: unknown;
    try {
      more = readYaml(additionalUrls);
    } catch {
      // Reported where settings are shown: as no list.
    }
    return [url, ...listAt({ more }, 'more').map(String)].filter((one) => one !== '');
  }

  /** Where a request comes from. */
  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    return clientAddress(socket.remoteAddress ?? '', headers, this.isTrustedProxy);
  }

  allows({ caller }: CallContext, request: AccessRequest): boolean {
    return this.options.disableAuth || this.state.enforcer.allows(caller, request);
  }

  /** Throws the denial in its long form. */
  require(context: CallContext, resource: string, action: string, object: string): void {
    const request = { resource, action, object };
    if (!this.allows(context, request)) throw permissionDenied(denialMessage(context.caller, request));
  }

  isOn(setting: string, otherwise = false): boolean {
    return parseBool(this.state.settings[setting] ?? '') ?? otherwise;
  }

  issueToken({ subject, seconds, id = randomUUID() }: { subject: string; seconds: number; id?: string }): string {
    return newToken({ subject, seconds, id, now: this.state.clock.now(), key: this.secretKey });
  }

  tokenContext(): TokenContext {
    return {
      now: this.state.clock.now(),
      key: this.secretKey,
      accounts: this.state.accounts,
      projectNamed: (name) => this.state.project(name),
      isRevoked: (id) => this.revoked.has(id),
      newId: randomUUID,
      provider: this.sso,
    };
  }

  /** Signs tokens, and encrypts what browsers keep. */
  get secretKey(): Uint8Array {
    return Buffer.from(this.state.secretData['server.secretkey'] ?? '');
  }

  async close(): Promise<void> {
    this.options.clusters?.close();
    await this.events.close();
    await this.passwords.close();
  }
}
