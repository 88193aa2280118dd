import type { Logger } from '@fairlead/kube';
import type { Subject } from '../core/outbox.ts';
import { traced } from '../core/trace.ts';

export type NamedSubject = Subject & { readonly uid: string; readonly name: string };

export interface Quarantined {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

/** The objects that the peer refuses, each with the reason, until it accepts them. */
export class Quarantine {
  readonly #log: Logger;
  readonly #held = new Map<string, Quarantined>();

  constructor(log: Logger) {
    this.#log = log;
  }

  list(): Quarantined[] {
    return [...this.#held.values()];
  }

  /** Returns whether the reason changed. */
  note(subject: NamedSubject, reason: string | undefined, trace?: string): boolean {
    const key = `${subject.about} ${subject.uid}`;
    if (this.#held.get(key)?.reason === reason) return false;
    if (reason === undefined) this.#held.delete(key);
    else {
      const kind = 'kind' in subject ? subject.kind : 'Application';
      this.#held.set(key, { kind, name: subject.name, reason });
      this.#log.warn('the peer refuses an object', { kind, name: subject.name, reason, ...traced(trace) });
    }
    return true;
  }
}
