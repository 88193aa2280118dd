import { annotation, type MirroredObject, sourceUidOf } from '../../core/kinds.ts';
import { linkName } from '../../core/link-names.ts';
import type { Body, Traced } from '../../core/message.ts';
import { loseOperation, type PendingOperation, type TakeOperation } from '../../core/operation.ts';
import type { Subject } from '../../core/outbox.ts';
import { withHubError } from '../../core/status.ts';
import type { LinkContext } from '../link-options.ts';
import { done, isOutdated, later, type Outcome } from '../outcome.ts';
import type { OperationLedger } from './operation-ledger.ts';
import { rewriteApplication } from './rewrite-application.ts';

const tries = 4;

/** Operations and status of the agent's Applications. */
export class AgentEndpoint {
  readonly #context: LinkContext;
  readonly #ledger: Pick<OperationLedger, 'begin' | 'close'>;

  constructor(context: LinkContext, ledger: Pick<OperationLedger, 'begin' | 'close'>) {
    this.#context = context;
    this.#ledger = ledger;
  }

  changed(old: MirroredObject | undefined, object: MirroredObject | undefined): void {
    const { side, enqueue, traces } = this.#context;
    const uid = object && sourceUidOf(object);
    if (side.mode !== 'managed' || !object || uid === undefined) return;
    if (old && reportOf(old) === reportOf(object)) return;
    enqueue({ about: 'status', name: linkName(side, 'Application', object), uid }, traces.of(uid));
  }

  /** Reports why the hub does not show an autonomous agent's Application as it is, or (undefined) that it does. */
  reason(name: string, uid: string, reason: string | undefined): Promise<Outcome> {
    const { timestamp } = this.#context;
    return rewriteApplication(
      this.#context,
      name,
      ({ metadata }) => metadata.uid === uid,
      (own) => withHubError(own, reason, timestamp()),
    );
  }

  async compose({ name, uid }: Subject & { about: 'status' }): Promise<Body | undefined> {
    const mirror = await this.#context.store.present('Application', name);
    if (!mirror || sourceUidOf(mirror) !== uid) return undefined;
    return { type: 'status', name, uid, object: mirror };
  }

  async operation({
    type,
    name,
    uid,
    id,
    operation,
    trace,
  }: Body & Traced & { type: 'operation' | 'terminate' }): Promise<Outcome> {
    const { store, side, enqueue, traces } = this.#context;
    const pending = { id, operation, terminate: type === 'terminate' };
    for (
      let own = await store.present('Application', name), i = 0;
      i < tries;
      own = await store.read('Application', name), i++
    ) {
      const found = own && (side.mode === 'managed' ? sourceUidOf(own) : own.metadata.uid) === uid;
      if (!own || !found) {
        if (i > 0) return later('the Application does not exist yet');
        continue;
      }
      const decision = await this.#decide(own, pending);
      // Before the write: the controller may start the operation before the response arrives.
      traces.note(uid, trace);
      if (decision.do === 'wait') return later(decision.reason);
      try {
        if (decision.do === 'write') await store.replace('Application', decision.object);
      } catch (error) {
        if (isOutdated(error)) continue;
        throw error;
      }
      this.#ledger.close(id);
      enqueue(
        side.mode === 'managed' ? { about: 'status', name, uid } : { about: 'state', kind: 'Application', name, uid },
        trace,
      );
      return done;
    }
    return later('the object changes too often');
  }

  /** An operation is recorded before it starts. One that is recorded and has left no trace was started before. */
  async #decide(own: MirroredObject, pending: PendingOperation): Promise<TakeOperation> {
    const { timestamp, rules } = this.#context;
    const decision = rules.takeOperation(own, pending, timestamp());
    if (decision.do !== 'write' || rules.hasTaken(own, pending.id)) return decision;
    return (await this.#ledger.begin(pending.id, own.metadata.uid ?? ''))
      ? decision
      : loseOperation(own, pending, timestamp());
  }
}

/** The part of an agent's Application that the hub needs, as one value. */
const reportOf = (object: MirroredObject): string =>
  JSON.stringify([
    object.status ?? null,
    object.operation === undefined,
    object.metadata.annotations?.[annotation.operation],
    object.metadata.annotations?.[annotation.refresh],
  ]);
