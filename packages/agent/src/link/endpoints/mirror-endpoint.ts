import type { DeletionBrake } from '../../core/brake.ts';
import { argocdChecksum, isTerminating, statusChecksum } from '../../core/content.ts';
import { annotation, changedObject, type MirroredKind, type MirroredObject, sourceUidOf } from '../../core/kinds.ts';
import { linkName, namespaceProblem } from '../../core/link-names.ts';
import type { Body, Listed, Traced } from '../../core/message.ts';
import { acceptedState, sourceState } from '../../core/mirror.ts';
import type { Subject } from '../../core/outbox.ts';
import { isOwnMirror } from '../../core/owner.ts';
import { listChecksum, listContent } from '../../core/resync.ts';
import { localName, sourceName } from '../../core/translate.ts';
import { cachedFor } from '../cached-value.ts';
import { isKnownTo } from '../connection.ts';
import type { LinkContext } from '../link-options.ts';
import { done, isOutdated, later, type Outcome, refused } from '../outcome.ts';

/** How often a decision is repeated because the object changed, before the message is left for later. */
const tries = 4;
const verifyBatchSize = 250;

/** The side that has mirrors: writes the states that the source sends, and asks the source when a mirror differs. */
export class MirrorEndpoint {
  readonly #context: LinkContext;
  readonly #brake: DeletionBrake;
  /** The number of Applications here. */
  readonly #mirrors: () => number;
  /** By uid, the state that the source last sent and that was stored. */
  readonly #expected = new Map<string, string>();
  /** By uid, the state that the server stored if it changed what was written. */
  readonly #accepted = new Map<string, string>();
  /** Uids whose deletion the source has ordered. */
  readonly #ordered = new Set<string>();
  /** By the uid of a mirror, the uid of its source, even if someone removed the annotation. */
  readonly #sources = new Map<string, string>();
  /** By kind and name, the uid that waits until the mirror of another uid is deleted. */
  readonly #waiting = new Map<string, string>();
  /** The objects to verify after a comparison, in batches. */
  readonly #verifyBatches = new Map<string, readonly Listed[]>();
  #batchCount = 0;
  #round: { readonly number: number; readonly parts: Map<number, readonly Listed[]> } | undefined;

  constructor(context: LinkContext, brake: DeletionBrake) {
    this.#context = context;
    this.#brake = brake;
    this.#mirrors = cachedFor(context.clock, 100, () => context.store.list('Application').length);
  }

  /** `byUs`: this side wrote the object and knows its state. */
  changed(
    kind: MirroredKind,
    old: MirroredObject | undefined,
    object: MirroredObject | undefined,
    byUs: boolean,
  ): void {
    // Mirrors of other agents can be in the same namespace.
    if (![old, object].some((state) => state && isOwnMirror(this.#context.side, kind, state))) return;
    const uid = sourceUidOf(changedObject(old, object));
    const before = old && sourceUidOf(old);
    const name = this.#name(kind, changedObject(old, object));
    if (before !== undefined && before !== uid) this.#context.enqueue({ about: 'verify', kind, name, uid: before });
    const own = changedObject(old, object).metadata.uid ?? '';
    if (!object) this.#sources.delete(own);
    else if (uid !== undefined) this.#sources.set(own, uid);
    if (uid === undefined) return;
    if (!object) this.#gone(kind, name, uid);
    else if (!byUs) this.#verifyIfChanged(kind, name, uid, this.#shown(kind, object));
  }

  /** The mirror differs from the state that the source last sent. If it was not edited, this side wrote it a moment ago. */
  #verifyIfChanged(kind: MirroredKind, name: string, uid: string, shown: string): void {
    const { enqueue, traces } = this.#context;
    if (this.#expected.get(uid) === shown) return;
    enqueue({ about: 'verify', kind, name, uid }, shown === '' ? undefined : traces.of(uid));
  }

  #gone(kind: MirroredKind, name: string, uid: string): void {
    const { enqueue, traces } = this.#context;
    this.#accepted.delete(uid);
    this.#expected.delete(uid);
    this.#brake.release(uid);
    enqueue({ about: 'gone', kind, name, uid }, this.#ordered.has(uid) ? traces.of(uid) : undefined);
    const next = this.#waiting.get(`${kind}/${name}`);
    this.#waiting.delete(`${kind}/${name}`);
    if (next !== undefined && next !== uid) enqueue({ about: 'verify', kind, name, uid: next });
  }

  async compose(subject: Subject & { about: 'gone' | 'verify' | 'list' | 'verify-batch' }): Promise<Body | undefined> {
    const { store, side } = this.#context;
    if (subject.about === 'verify-batch') {
      const items = this.#verifyBatches.get(subject.uid);
      return items && { type: 'verify-all', items };
    }
    if (subject.about === 'list') {
      const items = this.list();
      const plain = !this.#context.peer().fairlead;
      return {
        type: 'list-request',
        checksum: plain ? listChecksum(items) : '',
        content: plain ? '' : listContent(items),
      };
    }
    const { kind, name, uid } = subject;
    const local = localName(side, kind, name);
    const present = await store.present(kind, local);
    const mirror = present && sourceUidOf(present) === uid ? present : undefined;
    if (subject.about === 'verify') {
      const item = mirror ? this.#listed(kind, mirror) : { kind, name, uid, content: '' };
      return { type: 'verify', item };
    }
    if (mirror || sourceUidOf((await store.read(kind, local)) ?? noObject) === uid) return undefined;
    return { type: 'delete', kind, name, uid, ordered: this.#ordered.has(uid) };
  }

  /** Processes the source's state of one object: done when it is stored here. */
  async upsert({ kind, name, object: sent, trace }: Body & Traced & { type: 'upsert' }): Promise<Outcome> {
    const { store, side } = this.#context;
    const uid = sent.metadata.uid ?? '';
    const local = localName(side, kind, name);
    const problem = namespaceProblem(side, kind, name);
    if (problem !== undefined) return refused(problem);
    if (!isTerminating(sent)) this.#brake.release(uid);
    let existing = await store.present(kind, local);
    for (let i = 0; i < tries; i++) {
      try {
        return await this.#carryOut(kind, name, sent, existing, trace);
      } catch (error) {
        if (!isOutdated(error)) throw error;
        existing = await store.read(kind, local);
        // There is no object that could have changed: its namespace is missing.
        if (!existing && i > 0) throw error;
      }
    }
    return later('the object changes too often');
  }

  async #carryOut(
    kind: MirroredKind,
    name: string,
    sent: MirroredObject,
    existing: MirroredObject | undefined,
    trace: string | undefined,
  ): Promise<Outcome> {
    const { store, side, enqueue, traces } = this.#context;
    const uid = sent.metadata.uid ?? '';
    const decision = this.#context.rules.decideUpsert(side, kind, sent, existing && this.#marked(existing), name);
    // Before the write: a controller may react to it before the response arrives.
    traces.note(uid, trace);
    switch (decision.do) {
      case 'create':
        this.#stored(kind, name, sent, decision.object, await store.create(kind, decision.object, isBlank(sent)));
        return done;
      case 'update':
        this.#stored(kind, name, sent, decision.object, await store.replace(kind, decision.object));
        return done;
      case 'nothing':
        if (existing) this.#stored(kind, name, sent, existing, existing);
        return done;
      case 'report-gone':
        this.#ordered.add(uid);
        enqueue({ about: 'gone', kind, name, uid }, trace);
        return done;
      case 'delete':
        return this.#remove(kind, uid, decision.existing, decision.first);
      case 'wait':
        return this.#wait(kind, name, uid, decision, trace);
      case 'refuse':
        return refused(decision.reason);
    }
  }

  /** The mirror with its source-uid annotation, which someone may have removed. */
  #marked(copy: MirroredObject): MirroredObject {
    const source = this.#sources.get(copy.metadata.uid ?? '');
    if (source === undefined || sourceUidOf(copy) !== undefined) return copy;
    const { [annotation.state]: _, ...kept } = copy.metadata.annotations ?? {};
    const annotations = { ...kept, [annotation.sourceUid]: source };
    return { ...copy, metadata: { ...copy.metadata, annotations } };
  }

  async #wait(
    kind: MirroredKind,
    name: string,
    uid: string,
    { reason, verify, replace }: { reason: string; verify?: string; replace?: MirroredObject },
    trace: string | undefined,
  ): Promise<Outcome> {
    const { enqueue, peer } = this.#context;
    this.#waiting.set(`${kind}/${name}`, uid);
    if (verify === undefined) return later(reason);
    // argocd-agent's principal does not report what happened to the old uid: only the new state under the name is known.
    if (peer().fairlead) enqueue({ about: 'verify', kind, name, uid: verify }, trace);
    else if (replace) await this.#remove(kind, verify, replace, undefined);
    return later(reason);
  }

  /** Called after the server has stored the object: only then is the message done. */
  #stored(
    kind: MirroredKind,
    name: string,
    sent: MirroredObject,
    meant: MirroredObject,
    written: MirroredObject,
  ): void {
    const { side } = this.#context;
    const uid = sent.metadata.uid ?? '';
    this.#waiting.delete(`${kind}/${name}`);
    if (acceptedState(side, kind, meant) !== acceptedState(side, kind, written)) {
      this.#accepted.set(uid, acceptedState(side, kind, written));
    }
    if (written.metadata.uid) this.#sources.set(written.metadata.uid, uid);
    if (isTerminating(sent)) this.#ordered.add(uid);
    else this.#expected.set(uid, sourceState(side, kind, sent));
  }

  /** The source reports that the uid does not exist. */
  async delete({ kind, name, uid, together = 1, trace }: Body & Traced & { type: 'delete' }): Promise<Outcome> {
    const { store, side, traces } = this.#context;
    traces.note(uid, trace);
    // No object of this link has such a name.
    if (namespaceProblem(side, kind, name) !== undefined) return done;
    const local = localName(side, kind, name);
    for (
      let existing = await store.present(kind, local), i = 0;
      i < tries;
      existing = await store.read(kind, local), i++
    ) {
      const decision = this.#context.rules.decideDelete(side, kind, uid, existing && this.#marked(existing));
      if (decision.do === 'nothing') {
        // The cache may be behind, so the server is read before the deletion counts as done.
        if (i > 0) return done;
        continue;
      }
      try {
        return await this.#remove(kind, uid, decision.existing, decision.first, together);
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
    return later('the object changes too often');
  }

  async #remove(
    kind: MirroredKind,
    uid: string,
    existing: MirroredObject,
    first: MirroredObject | undefined,
    together = 1,
  ): Promise<Outcome> {
    const { store, clock, reportChanged } = this.#context;
    const mirrors = this.#mirrors();
    if (
      kind === 'Application' &&
      !isTerminating(existing) &&
      !this.#brake.allow([uid], mirrors, clock.now(), together)
    ) {
      reportChanged();
      return later('held: too many deletions at once');
    }
    this.#ordered.add(uid);
    const next = first ? await store.replace(kind, first) : existing;
    if (!isTerminating(next)) await store.remove(kind, next);
    return done;
  }

  /** A part of the source's list. When all parts are here, the differences are requested. Returns whether the list is complete. */
  listed({ round, part, parts, items, trace }: Body & Traced & { type: 'list' }): boolean {
    if (this.#round?.number !== round) this.#round = { number: round, parts: new Map() };
    this.#round.parts.set(part, items);
    if (this.#round.parts.size < parts) return false;
    const whole = [...this.#round.parts.values()].flat();
    this.#round = undefined;
    this.#compare(whole, trace);
    return true;
  }

  #compare(listed: readonly Listed[], trace: string | undefined): void {
    const { enqueue, clock, reportChanged, store } = this.#context;
    const plan = this.#context.rules.planResync(listed, this.list());
    this.#cancelVerifyBatches();
    this.#enqueueVerify(plan.differ, trace);
    for (const { name, uid } of plan.statuses) enqueue({ about: 'status', name, uid }, trace);
    for (const { uid } of listed) this.#brake.release(uid);
    const orphans = plan.unknown.filter(({ kind }) => kind === 'Application').map(({ uid }) => uid);
    this.#brake.retain(new Set(orphans));
    const allowed = this.#brake.allow(orphans, store.list('Application').length, clock.now());
    this.#enqueueVerify(
      plan.unknown.filter(({ kind, uid }) => allowed || kind !== 'Application' || this.#brake.isConfirmed(uid)),
      trace,
    );
    reportChanged();
  }

  #enqueueVerify(items: readonly Listed[], trace: string | undefined): void {
    for (let at = 0; at < items.length; at += verifyBatchSize) {
      const uid = `part-${++this.#batchCount}`;
      this.#verifyBatches.set(uid, items.slice(at, at + verifyBatchSize));
      this.#context.enqueue({ about: 'verify-batch', uid }, trace);
    }
  }

  /** A new comparison replaces the batches of the last one. */
  #cancelVerifyBatches(): void {
    for (const uid of this.#verifyBatches.keys()) this.#context.cancel({ about: 'verify-batch', uid });
    this.#verifyBatches.clear();
  }

  /** The source has processed a message about the subject. */
  acknowledged(subject: Subject): void {
    if (subject.about === 'verify-batch') this.#verifyBatches.delete(subject.uid);
    // The source knows that it is deleted, and why.
    if (subject.about === 'gone') this.#ordered.delete(subject.uid);
  }

  list(): Listed[] {
    const { store, peer } = this.#context;
    const known = [...store.all()].filter(({ kind }) => isKnownTo(peer(), kind));
    return known.map(({ kind, object }) => this.#listed(kind, object));
  }

  #listed(kind: MirroredKind, mirror: MirroredObject): Listed {
    const { side, peer } = this.#context;
    return {
      kind,
      name: this.#name(kind, mirror),
      uid: sourceUidOf(mirror) ?? '',
      content: this.#shown(kind, mirror),
      ...(kind === 'Application' && side.mode === 'managed' ? { status: statusChecksum(mirror) } : {}),
      ...(peer().fairlead ? {} : { plain: argocdChecksum(mirror).toString('base64') }),
    };
  }

  /** The name on the link. */
  #name(kind: MirroredKind, mirror: MirroredObject): string {
    const { side } = this.#context;
    return sourceName(side, kind, linkName(side, kind, mirror));
  }

  #shown(kind: MirroredKind, mirror: MirroredObject): string {
    return this.#context.rules.shownState(
      this.#context.side,
      kind,
      mirror,
      this.#accepted.get(sourceUidOf(mirror) ?? ''),
    );
  }
}

/** A new mirror of it contains nothing that the source does not know. */
const isBlank = ({ status = {}, operation, metadata }: MirroredObject): boolean =>
  Object.keys(status).length === 0 &&
  operation === undefined &&
  metadata.annotations?.[annotation.refresh] === undefined;

const noObject: MirroredObject = { apiVersion: '', kind: '', metadata: { name: '' } };
