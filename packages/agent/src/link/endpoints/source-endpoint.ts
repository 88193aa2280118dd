import { argocdChecksum, declaredChecksum, isTerminating, statusChecksum } from '../../core/content.ts';
import { changedObject, kindsOf, type MirroredKind, type MirroredObject } from '../../core/kinds.ts';
import { linkName } from '../../core/link-names.ts';
import type { Body, Listed, Message, Traced } from '../../core/message.ts';
import { sourceState } from '../../core/mirror.ts';
import type { Subject } from '../../core/outbox.ts';
import { listChecksum, listContent } from '../../core/resync.ts';
import { outgoing } from '../../core/translate.ts';
import { cachedFor } from '../cached-value.ts';
import { isKnownTo } from '../connection.ts';
import type { LinkContext } from '../link-options.ts';
import { done, isOutdated, type Outcome } from '../outcome.ts';

const partSize = 500;
/** Finalizers that the agent's cluster has processed once the mirror is deleted. */
const isCascade = (finalizer: string): boolean =>
  /^(resources|post-delete|pre-delete)-finalizer\.argocd\.argoproj\.io/u.test(finalizer);

/** The side whose objects are the source of truth: sends their states, and answers questions about them. */
export class SourceEndpoint {
  readonly #context: LinkContext;

  /** How many pending uids no longer exist: all at once, if a hub is emptied. */
  readonly #missing: () => number;

  constructor(context: LinkContext) {
    this.#context = context;
    const { clock, store, waiting } = context;
    this.#missing = cachedFor(clock, 100, () =>
      waiting(({ kind, name, uid }) => store.get(kind, name)?.metadata.uid !== uid),
    );
  }

  /** An object of this side has changed. */
  changed(kind: MirroredKind, old: MirroredObject | undefined, object: MirroredObject | undefined): void {
    const { store, enqueue } = this.#context;
    const isSent = (state: MirroredObject | undefined): state is MirroredObject =>
      state !== undefined && store.belongs(kind, state);
    if (!isSent(object)) {
      if (old && (isSent(old) || kind !== 'Application'))
        enqueue({ about: 'state', kind, ...this.#identity(kind, old) });
    } else if (
      !isSent(old) ||
      this.#state(kind, old) !== this.#state(kind, object) ||
      refreshOf(old) !== refreshOf(object)
    ) {
      enqueue({ about: 'state', kind, ...this.#identity(kind, object) }, this.#causeOf(old, object));
    }
    if (kind === 'AppProject') this.#projectChanged(changedObject(object, old));
  }

  /** If only the status changed, the change results from the peer's last message. */
  #causeOf(old: MirroredObject | undefined, object: MirroredObject): string | undefined {
    return old && declaredChecksum(old) === declaredChecksum(object)
      ? this.#context.traces.of(object.metadata.uid ?? '')
      : undefined;
  }

  /** The project of a repository decides whether an agent gets it. */
  #projectChanged(project: MirroredObject): void {
    if (!kindsOf(this.#context.side.mode).includes('Repository')) return;
    for (const { kind, object } of this.#context.candidates('Repository')) {
      if (projectOf(object) === project.metadata.name)
        this.#context.enqueue({ about: 'state', kind, ...this.#identity(kind, object) });
    }
  }

  /** The present state of a uid. A deletion is reported only after reading from the server: caches may be behind, or ahead of a restore. */
  async compose({ kind, name, uid }: Subject & { about: 'state' }): Promise<Body> {
    const { store } = this.#context;
    const mine = (object: MirroredObject | undefined): object is MirroredObject =>
      object?.metadata.uid === uid && store.belongs(kind, object);
    let object = store.get(kind, name);
    if (!mine(object)) {
      object = await store.read(kind, name);
      // The project decides whether the agent gets the repository, so it must be current too.
      if (kind === 'Repository' && object?.metadata.uid === uid) await store.read('AppProject', projectOf(object));
    }
    if (!mine(object)) return { type: 'delete', kind, name, uid, together: this.#missing() };
    const { side, peer } = this.#context;
    // A principal of argocd-agent ignores updates of Applications that it does not have, and takes a creation for both.
    const create = kind === 'Application' && side.role === 'agent' && !peer().fairlead;
    return { type: 'upsert', kind, name, object: outgoing(side, kind, object), create };
  }

  /**
   * Sends every state, to a peer that never requests objects that it does not have. Once is enough: later changes are in the outbox until
   * that peer has acknowledged them.
   */
  sendAll(): void {
    if (this.#sentAll) return;
    this.#sentAll = true;
    const { store, enqueue, isPending } = this.#context;
    for (const { kind, object } of store.all()) {
      const subject = { about: 'state', kind, ...this.#identity(kind, object) } as const;
      if (!isPending(subject)) enqueue(subject);
    }
  }

  #sentAll = false;

  list(): Listed[] {
    const { store, peer } = this.#context;
    const known = [...store.all()].filter(({ kind }) => isKnownTo(peer(), kind));
    return known.map(({ kind, object }) => this.#listed(kind, object));
  }

  answerList({ content, checksum, number, trace }: Message & { type: 'list-request' }): Outcome {
    const items = this.list();
    if (!this.#context.peer().fairlead) {
      if (listChecksum(items) !== checksum)
        this.#context.send({ type: 'list', round: number, part: 0, parts: 1, items }, trace);
      return done;
    }
    this.#context.compared();
    if (listContent(items) === content) {
      this.#context.send({ type: 'processed', of: number, equal: true }, trace);
      return { is: 'answered' };
    }
    const parts = Math.max(1, Math.ceil(items.length / partSize));
    for (let part = 0; part < parts; part++) {
      const slice = items.slice(part * partSize, (part + 1) * partSize);
      this.#context.send({ type: 'list', round: number, part, parts, items: slice }, trace);
    }
    return { is: 'answered' };
  }

  verify({ item, trace }: Body & Traced & { type: 'verify' }): Outcome {
    const { store, enqueue, isPending, rules } = this.#context;
    const object = store.get(item.kind, item.name);
    const present = object && store.belongs(item.kind, object) ? this.#listed(item.kind, object) : undefined;
    if (item.uid !== '' && rules.mustSend(item, present))
      enqueue({ about: 'state', kind: item.kind, name: item.name, uid: item.uid }, trace);
    // Another object has the name now, and the mirror may not know it yet.
    const other = { about: 'state', kind: item.kind, name: item.name, uid: present?.uid ?? '' } as const;
    if (present && present.uid !== item.uid && !isPending(other)) enqueue(other, trace);
    return done;
  }

  /**
   * The mirror is deleted. If the source is being deleted, that was the purpose; otherwise the mirror is created again. If the source was
   * moved to another agent meanwhile, its finalizers are the concern of that agent's link.
   */
  async mirrorGone({ kind, name, uid, ordered, trace }: Body & Traced & { type: 'delete' }): Promise<Outcome> {
    const { store, enqueue } = this.#context;
    for (let object = store.get(kind, name); ; object = await store.read(kind, name)) {
      if (object?.metadata.uid !== uid || !store.belongs(kind, object)) return done;
      if (!isTerminating(object) || ordered === false) {
        enqueue({ about: 'state', kind, name, uid }, trace);
        return done;
      }
      const finalizers = (object.metadata.finalizers ?? []).filter((finalizer) => !isCascade(finalizer));
      if (finalizers.length === (object.metadata.finalizers ?? []).length) return done;
      try {
        await store.replace(kind, { ...object, metadata: { ...object.metadata, finalizers } });
        return done;
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
  }

  #listed(kind: MirroredKind, object: MirroredObject): Listed {
    const { side, peer } = this.#context;
    const sent = outgoing(side, kind, object);
    return {
      kind,
      ...this.#identity(kind, object),
      content: peer().fairlead ? sourceState(side, kind, sent) : argocdChecksum(sent).toString('base64'),
      ...(kind === 'Application' && side.mode === 'managed' ? { status: statusChecksum(object) } : {}),
    };
  }

  #identity(kind: MirroredKind, object: MirroredObject): { name: string; uid: string } {
    return { name: linkName(this.#context.side, kind, object), uid: object.metadata.uid ?? '' };
  }

  #state(kind: MirroredKind, object: MirroredObject): string {
    return sourceState(this.#context.side, kind, outgoing(this.#context.side, kind, object));
  }
}

const projectOf = (repository: MirroredObject): string =>
  Buffer.from(String(repository.data?.['project'] ?? ''), 'base64').toString();
const refreshOf = (object: MirroredObject) => object.metadata.annotations?.['argocd.argoproj.io/refresh'];
