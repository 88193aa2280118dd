import { randomUUID } from 'node:crypto';
import type { Logger, Random } from '@fairlead/kube';
import type { Gpg } from '@fairlead/source';
import { parseBool } from './accounts/account.ts';
import type { ClusterAccess } from './clusters/cluster-infos.ts';
import type { LiveClusters } from './live/live-clusters.ts';
import { denialMessage } from './rbac/enforcer.ts';
import type { AccessRequest } from './rbac/evaluator.ts';
import type { CallContext } from './rpc/call.ts';
import { permissionDenied } from './rpc/rpc-error.ts';
import { Passwords } from './session/passwords.ts';
import { SignIn } from './session/sign-in.ts';
import { newToken, type TokenContext } from './session/verify-token.ts';
import type { ApplicationSources } from './sources/application-sources.ts';
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
  /** Without it, nothing is known of what is live. */
  readonly clusters?: LiveClusters | undefined;
  readonly clusterAccess?: ClusterAccess;
  readonly gpg?: Pick<Gpg, 'readKeys'>;
  /** Globs of the namespaces, other than its own, whose Applications are served. */
  readonly applicationNamespaces?: readonly string[];
}

/** What all calls share. */
export class Server {
  readonly state: ServerState;
  readonly log: Logger;
  readonly passwords = new Passwords();
  readonly signIn: SignIn;
  readonly options: ServerOptions;
  /** Ids of tokens whose session was ended, with the time until which they would be valid. */
  readonly #revoked = new Map<string, number>();

  constructor(options: ServerOptions) {
    const { state, log, random, signInMs = 500 } = options;
    this.options = options;
    this.state = state;
    this.log = log;
    this.signIn = new SignIn({ passwords: this.passwords, clock: state.clock, random, minMs: signInMs });
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
    return newToken({ subject, seconds, id, now: this.state.clock.now(), key: this.#key });
  }

  revoke(id: string, until: number): void {
    const now = this.state.clock.now();
    for (const [known, end] of this.#revoked) if (end < now) this.#revoked.delete(known);
    this.#revoked.set(id, until);
  }

  tokenContext(): TokenContext {
    return {
      now: this.state.clock.now(),
      key: this.#key,
      accounts: this.state.accounts,
      projectNamed: (name) => this.state.project(name),
      isRevoked: (id) => this.#revoked.has(id),
      newId: randomUUID,
    };
  }

  get #key(): Uint8Array {
    return Buffer.from(this.state.secretData['server.secretkey'] ?? '');
  }

  async close(): Promise<void> {
    this.options.clusters?.close();
    await this.passwords.close();
  }
}
