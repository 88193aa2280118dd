import type { Clock, Logger } from '@fairlead/kube';
import { type Claims, textClaim, userIdentifier } from '../rbac/claims.ts';
import type { RpcCode } from '../rpc/rpc-error.ts';

/** What a change was made to. Fields that a request does not name are left out. */
export interface AuditObject {
  readonly name?: string;
  readonly namespace?: string;
  readonly project?: string;
}

export interface AuditRecord {
  /** Of who was signed in. */
  readonly claims?: Claims | undefined;
  /** Who tried to sign in. */
  readonly user?: string;
  /** Where the request came from. */
  readonly address: string;
  /** `Application.Sync`. */
  readonly call: string;
  readonly object?: AuditObject;
  readonly result: RpcCode;
  /** Why it failed, as in the answer to the client. */
  readonly message?: string;
}

const maxMessage = 300;

/** Every change that was asked for: who, from where, what, and the result. Never what was in the request. */
export class AuditLog {
  readonly #clock: Clock;
  readonly #write: (entry: object) => void;

  /** Lines go to `sink`; without one, entries go to the log. */
  constructor({ clock, log, sink }: { clock: Clock; log: Logger; sink?: ((line: string) => void) | undefined }) {
    this.#clock = clock;
    this.#write = sink ? (entry) => sink(JSON.stringify(entry)) : (entry) => log.info('audit', { ...entry });
  }

  record({ claims, user = '', address, call, object, result, message }: AuditRecord): void {
    const issuer = claims ? textClaim(claims, 'iss') : '';
    const email = claims ? textClaim(claims, 'email') : '';
    this.#write({
      time: new Date(this.#clock.now()).toISOString(),
      user: claims ? userIdentifier(claims) : user,
      ...(issuer === '' ? {} : { issuer }),
      ...(email === '' ? {} : { email }),
      address,
      call,
      ...(object ? { object } : {}),
      result,
      ...(message === undefined ? {} : { message: message.slice(0, maxMessage) }),
    });
  }
}
