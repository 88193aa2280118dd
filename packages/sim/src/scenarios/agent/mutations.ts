import {
  Inbox,
  type LinkSettings,
  type MirroredKind,
  type MirroredObject,
  MirrorStore,
  Outbox,
  OutboxJournal,
  rules,
  type Subject,
} from '@fairlead/agent';
import type { Cell } from './matrix.ts';

/** A deliberate bug, the invariant that it violates, and the cells that find it. */
export interface Mutation {
  readonly invariant: string;
  readonly mistake: string;
  readonly parts: NonNullable<LinkSettings['parts']>;
  readonly settings?: Partial<LinkSettings>;
  /** The message of the violated invariant. */
  readonly says: RegExp;
  readonly cells: readonly Cell[];
}

const managed = (acts: readonly string[], faults: readonly string[] = []): Cell => ({ mode: 'managed', acts, faults });
const autonomous = (acts: readonly string[], faults: readonly string[] = []): Cell => ({
  mode: 'autonomous',
  acts,
  faults,
});

class AnyAnswerWillDo extends Outbox {
  #last = 0;

  override enqueue(...args: Parameters<Outbox['enqueue']>): void {
    super.enqueue(...args);
    this.#last += 1;
  }

  /** Removes the newest entry, regardless of the acknowledged number. */
  override acknowledged(number: number): ReturnType<Outbox['acknowledged']> {
    for (let newest = number + 40; newest >= number; newest--) {
      const subject = super.acknowledged(newest);
      if (subject) return subject;
    }
    return undefined;
  }
}

class NothingLeaves extends Outbox {
  override acknowledged(): undefined {
    return undefined;
  }
}

class SaidOnce extends Outbox {
  override wake(): void {}

  override nextDueIn(): undefined {
    return undefined;
  }
}

class Unexplaining extends Outbox {
  override refused(...args: Parameters<Outbox['refused']>): undefined {
    super.refused(...args);
  }
}

/** Drops subjects when it is full. */
class Overflowing extends Outbox {
  override enqueue(subject: Subject): void {
    if (this.size < 2 || this.has(subject)) super.enqueue(subject);
  }
}

class Unread extends OutboxJournal {
  override load(): [] {
    return [];
  }
}

class NothingCrossedOut extends OutboxJournal {
  override note(...[key, entry]: Parameters<OutboxJournal['note']>): void {
    if (entry) super.note(key, entry);
  }
}

class Forgetful extends Inbox {
  override knows(): boolean {
    return false;
  }
}

/** Reports a write as complete before it is. */
class Hasty extends MirrorStore {
  override async create(kind: MirroredKind, object: MirroredObject, settled = false): Promise<MirroredObject> {
    void super.create(kind, object, settled).catch(() => {});
    return object;
  }

  override async replace(kind: MirroredKind, object: MirroredObject): Promise<MirroredObject> {
    void super.replace(kind, object).catch(() => {});
    return object;
  }
}

/** Bugs that violate each invariant of the matrix. */
export const mutations: readonly Mutation[] = [
  {
    invariant: 'same set of (kind, name, uid) on both sides',
    mistake: 'a list comparison that ignores objects the source no longer has',
    parts: { rules: { planResync: (...args) => ({ ...rules.planResync(...args), unknown: [] }) } },
    says: /is an orphan/u,
    cells: [managed(['non-cascade delete'], ['both are down']), autonomous(['non-cascade delete'], ['both are down'])],
  },
  {
    invariant: 'same declared fields on both sides',
    mistake: 'a mirror that does not detect that someone edited it',
    parts: {
      rules: {
        shownState: (_, __, mirror) =>
          (mirror.metadata.annotations?.['fairlead.dev/source-state'] ?? '').split('.')[0] ?? '',
      },
    },
    says: /no agreement/u,
    cells: [
      managed(['create', 'wrong-side edit', 'wrong-side edit']),
      autonomous(['create', 'wrong-side edit', 'wrong-side edit']),
    ],
  },
  {
    invariant: 'no mirror, and so no workload, is deleted while its source exists',
    mistake: 'a state with another uid that deletes the existing object, even if that one is newer',
    parts: {
      rules: {
        decideUpsert: (...args) => {
          const decision = rules.decideUpsert(...args);
          return decision.do === 'wait' && decision.replace ? { do: 'delete', existing: decision.replace } : decision;
        },
      },
    },
    says: /deleted while its source lives/u,
    cells: [
      managed(['re-create other', 're-create other'], ['stale lists at the hub', 'principal is down']),
      managed(['re-create same', 're-create other'], ['hub restored from a backup', 'stale lists at the hub']),
    ],
  },
  {
    invariant: 'workloads are deleted only where a cascade was requested',
    mistake: 'a deletion that keeps finalizers that someone had removed before',
    parts: {
      rules: {
        decideDelete: (...args) => {
          const decision = rules.decideDelete(...args);
          return decision.do === 'delete' ? { do: 'delete', existing: decision.existing } : decision;
        },
      },
    },
    says: /workloads of .* are deleted without a request/u,
    cells: [
      managed(['create', 'non-cascade delete'], ['both are down']),
      managed(['non-cascade delete'], ['partition']),
    ],
  },
  {
    invariant: 'no status across uids',
    mistake: 'a status that is matched by name only',
    parts: { rules: { isSame: () => true } },
    says: /has the status of/u,
    cells: [
      managed(['re-create other', 're-create same'], ['reorder']),
      managed(['re-create other', 'status'], ['slow consumer']),
    ],
  },
  {
    invariant: 'each operation runs at most once, or is reported as failed',
    mistake: 'an agent that does not record which operations it has started',
    parts: {
      rules: {
        hasTaken: () => false,
        takeOperation: (own, pending, now) =>
          rules.takeOperation({ ...own, metadata: { ...own.metadata, annotations: {} }, status: {} }, pending, now),
      },
      ledger: { begin: async () => true, close: () => {} },
    },
    says: /ran 2 times/u,
    cells: [managed(['create', 'sync'], ['drop, duplicate and reorder']), managed(['sync'], ['principal crashes'])],
  },
  {
    invariant: 'bounded memory: acknowledged entries are removed',
    mistake: 'an outbox from which no entry is ever removed',
    parts: { outbox: (options) => new NothingLeaves(options) },
    says: /events are still pending/u,
    cells: [managed(['create'])],
  },
  {
    invariant: 'bounded memory: a full outbox loses nothing',
    mistake: 'an outbox that drops entries when it is full',
    parts: { outbox: (options) => new Overflowing(options) },
    settings: { compareMs: 1e9 },
    says: /no agreement/u,
    cells: [managed(['spec edit', 'metadata edit', 'spec edit'], ['agent is down']), managed(['create'], ['drop'])],
  },
  {
    invariant: 'a rejected object has a reason, and other objects are not affected',
    mistake: 'a rejection that is not recorded',
    parts: { outbox: (options) => new Unexplaining(options) },
    says: /no reason is reported/u,
    cells: [managed(['poison message']), autonomous(['poison message'])],
  },
  {
    invariant: 'nothing is acknowledged before it is stored',
    mistake: 'an acknowledgement that does not wait for the write',
    parts: { store: (...args) => new Hasty(...args) },
    says: /answered and not stored/u,
    cells: [managed(['create']), autonomous(['create'])],
  },
  {
    invariant: 'agreement within ten minutes of the last fault',
    mistake: 'messages that are sent only once',
    parts: { outbox: (options) => new SaidOnce(options) },
    says: /no agreement|still pending/u,
    cells: [managed(['create', 'spec edit'], ['drop'])],
  },
  {
    invariant: 'an acknowledgement is for its own message',
    mistake: 'an outbox that removes the newest entry, whichever was acknowledged',
    parts: { outbox: (options) => new AnyAnswerWillDo(options) },
    says: /no agreement|still pending|did not run/u,
    cells: [
      managed(['create', 'spec edit', 'sync'], ['drop, duplicate and reorder', 'duplicate']),
      managed(['sync', 'cascade delete'], ['drop']),
    ],
  },
  {
    invariant: 'unsent changes survive the process',
    mistake: 'an outbox that does not read its file',
    parts: { journal: (...args) => new Unread(...args) },
    says: /was in the file of the outbox, and is not sent/u,
    cells: [managed(['spec edit', 'create'], ['partition', 'both are down']), autonomous(['create'], ['both crash'])],
  },
  {
    invariant: 'bounded memory: acknowledged entries are removed from the file too',
    mistake: 'an outbox file from which no entry is ever removed',
    parts: { journal: (...args) => new NothingCrossedOut(...args) },
    says: /the files of the outboxes are wrong/u,
    cells: [managed(['create', 'spec edit'], ['drop']), autonomous(['create'], ['drop'])],
  },
  {
    invariant: 'an older state does not overtake a newer one',
    mistake: 'an inbox that does not record what it has received',
    parts: { inbox: () => new Forgetful() },
    // A periodic resync would repair it.
    settings: { compareMs: 1e9 },
    says: /no agreement|not stored|ran 2 times|without a request/u,
    cells: [managed(['spec edit', 'spec edit', 'metadata edit', 'spec edit'], ['reorder'])],
  },
];
