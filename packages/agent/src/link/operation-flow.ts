import { annotation, isSource, type MirroredObject, sourceUidOf } from '../core/kinds.ts';
import type { Body } from '../core/message.ts';
import {
  idOf,
  loseOperation,
  type PendingOperation,
  pendingOperation,
  type TakeOperation,
  withId,
} from '../core/operation.ts';
import type { Subject } from '../core/outbox.ts';
import { withAgentError, withFailedOperation } from '../core/status.ts';
import type { LinkContext } from './link-options.ts';
import type { OperationLedger } from './operation-ledger.ts';
import { done, isOutdated, later, type Outcome } from './outcome.ts';

const tries = 4;

/** Operations and reasons on the hub's Applications, whichever side is their source. */
export class HubFlow {
  readonly #context: LinkContext;

  constructor(context: LinkContext) {
    this.#context = context;
  }

  changed(object: MirroredObject | undefined): void {
    if (!object?.operation || !this.#context.shelf.belongs('Application', object)) return;
    this.#context.tell({ about: 'operation', name: object.metadata.name, uid: this.#uid(object) });
  }

  /** On every connect: an operation that was set while nobody looked is as good as any. */
  connected(): void {
    for (const object of this.#context.shelf.list('Application')) this.changed(object);
  }

  async compose({ name, uid }: Subject & { about: 'operation' }): Promise<Body | undefined> {
    const { shelf, nonce } = this.#context;
    for (
      let object = await shelf.present('Application', name), i = 0;
      i < tries;
      object = await shelf.read('Application', name), i++
    ) {
      if (!object || this.#uid(object) !== uid || !shelf.belongs('Application', object)) return undefined;
      const pending = pendingOperation(object);
      if (pending === undefined) return undefined;
      if (pending !== 'unnamed') {
        const { id, operation, terminate } = pending;
        return { type: terminate ? 'terminate' : 'operation', name, uid, id, operation };
      }
      try {
        // Stored before it is sent: whatever happens then, it is the same operation.
        await shelf.replace('Application', { ...object, operation: withId(object.operation!, nonce()) });
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
    throw new Error('it changes all the time');
  }

  /** The status of an Application as its agent has it. That of another uid is nobody's status. */
  async status({ name, uid, object: mirror }: Body & { type: 'status' }): Promise<Outcome> {
    const outcome = await this.#rewrite(name, uid, (hub) => this.#context.rules.withStatusOf(hub, mirror));
    this.remind(name, uid, mirror);
    return outcome;
  }

  /** The agent's copy knows nothing of an operation that it was told of: it is not the one that was told. */
  remind(name: string, uid: string, agents: MirroredObject): void {
    const { shelf, tell, rules } = this.#context;
    const hub = shelf.get('Application', name);
    const id = hub && this.#uid(hub) === uid ? idOf(hub.operation) : undefined;
    if (id !== undefined && !rules.hasTaken(agents, id)) tell({ about: 'operation', name, uid });
  }

  /** Why the agent's cluster does not have the Application as it is, or (undefined) that it has. */
  reason(name: string, uid: string, reason: string | undefined): Promise<Outcome> {
    const { side, instant } = this.#context;
    return this.#rewrite(name, uid, (hub) => {
      const told = withAgentError(hub, side.agent, reason, instant());
      return reason === undefined ? told : (withFailedOperation(told ?? hub, side.agent, reason, instant()) ?? told);
    });
  }

  /** The operation could not be handed over. */
  operationFailed(name: string, uid: string, reason: string): Promise<Outcome> {
    return this.#rewrite(name, uid, (hub) =>
      withFailedOperation(hub, this.#context.side.agent, reason, this.#context.instant()),
    );
  }

  async #rewrite(
    name: string,
    uid: string,
    change: (hub: MirroredObject) => MirroredObject | undefined,
  ): Promise<Outcome> {
    const { shelf } = this.#context;
    for (
      let hub = await shelf.present('Application', name), i = 0;
      i < tries;
      hub = await shelf.read('Application', name), i++
    ) {
      if (!hub || !this.#context.rules.isSame(this.#uid(hub), uid) || !shelf.belongs('Application', hub)) {
        if (i > 0) return done;
        continue;
      }
      const next = change(hub);
      if (!next) return done;
      try {
        await shelf.replace('Application', next);
        return done;
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
    return later('it changes all the time');
  }

  #uid(object: MirroredObject): string {
    const { role, mode } = this.#context.side;
    return (isSource(role, mode) ? object.metadata.uid : sourceUidOf(object)) ?? '';
  }
}

/** Operations and status on the agent's Applications. */
export class AgentFlow {
  readonly #context: LinkContext;
  readonly #ledger: Pick<OperationLedger, 'begin' | 'close'>;

  constructor(context: LinkContext, ledger: Pick<OperationLedger, 'begin' | 'close'>) {
    this.#context = context;
    this.#ledger = ledger;
  }

  changed(old: MirroredObject | undefined, object: MirroredObject | undefined): void {
    const { side, tell } = this.#context;
    const uid = object && sourceUidOf(object);
    if (side.mode !== 'managed' || !object || uid === undefined) return;
    if (old && reportOf(old) === reportOf(object)) return;
    tell({ about: 'status', name: object.metadata.name, uid });
  }

  async compose({ name, uid }: Subject & { about: 'status' }): Promise<Body | undefined> {
    const mirror = await this.#context.shelf.present('Application', name);
    if (!mirror || sourceUidOf(mirror) !== uid) return undefined;
    return { type: 'status', name, uid, object: mirror };
  }

  async operation({ type, name, uid, id, operation }: Body & { type: 'operation' | 'terminate' }): Promise<Outcome> {
    const { shelf, side, tell } = this.#context;
    const pending = { id, operation, terminate: type === 'terminate' };
    for (
      let own = await shelf.present('Application', name), i = 0;
      i < tries;
      own = await shelf.read('Application', name), i++
    ) {
      const found = own && (side.mode === 'managed' ? sourceUidOf(own) : own.metadata.uid) === uid;
      if (!own || !found) {
        if (i > 0) return later('it is not here yet');
        continue;
      }
      const decision = await this.#decide(own, pending);
      if (decision.do === 'wait') return later(decision.reason);
      try {
        if (decision.do === 'write') await shelf.replace('Application', decision.object);
      } catch (error) {
        if (isOutdated(error)) continue;
        throw error;
      }
      this.#ledger.close(id);
      tell(
        side.mode === 'managed' ? { about: 'status', name, uid } : { about: 'state', kind: 'Application', name, uid },
      );
      return done;
    }
    return later('it changes all the time');
  }

  /** What is to be begun is written down first: what is written down and has left no trace was begun before. */
  async #decide(own: MirroredObject, pending: PendingOperation): Promise<TakeOperation> {
    const { instant, rules } = this.#context;
    const decision = rules.takeOperation(own, pending, instant());
    if (decision.do !== 'write' || rules.hasTaken(own, pending.id)) return decision;
    return (await this.#ledger.begin(pending.id, own.metadata.uid ?? ''))
      ? decision
      : loseOperation(own, pending, instant());
  }
}

/** What of an agent's Application the hub wants to know, in one value. */
const reportOf = (object: MirroredObject): string =>
  JSON.stringify([
    object.status ?? null,
    object.operation === undefined,
    object.metadata.annotations?.[annotation.operation],
    object.metadata.annotations?.[annotation.refresh],
  ]);
