import { isSource, type MirroredObject, sourceUidOf } from '../../core/kinds.ts';
import { linkName } from '../../core/link-names.ts';
import type { Body, Traced } from '../../core/message.ts';
import { idOf, pendingOperation, withId } from '../../core/operation.ts';
import type { Subject } from '../../core/outbox.ts';
import { withAgentError, withFailedOperation } from '../../core/status.ts';
import type { LinkContext } from '../link-options.ts';
import { isOutdated, type Outcome } from '../outcome.ts';
import { rewriteApplication } from './rewrite-application.ts';

const tries = 4;

/** Operations and reasons on the hub's Applications, whichever side is their source. */
export class HubEndpoint {
  readonly #context: LinkContext;

  constructor(context: LinkContext) {
    this.#context = context;
  }

  changed(object: MirroredObject | undefined): void {
    if (!object?.operation || !this.#context.store.belongs('Application', object)) return;
    const name = linkName(this.#context.side, 'Application', object);
    this.#context.enqueue({ about: 'operation', name, uid: this.#uid(object) });
  }

  /** On every connect: an operation that was set while nobody looked is as good as any. */
  connected(): void {
    for (const object of this.#context.store.list('Application')) this.changed(object);
  }

  async compose({ name, uid }: Subject & { about: 'operation' }): Promise<Body | undefined> {
    const { store, nonce } = this.#context;
    for (
      let object = await store.present('Application', name), i = 0;
      i < tries;
      object = await store.read('Application', name), i++
    ) {
      if (!object || this.#uid(object) !== uid || !store.belongs('Application', object)) return undefined;
      const pending = pendingOperation(object);
      if (pending === undefined) return undefined;
      if (pending !== 'unnamed') {
        const { id, operation, terminate } = pending;
        return { type: terminate ? 'terminate' : 'operation', name, uid, id, operation };
      }
      try {
        // Stored before it is sent: whatever happens then, it is the same operation.
        await store.replace('Application', { ...object, operation: withId(object.operation!, nonce()) });
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
    throw new Error('it changes all the time');
  }

  /** The status of an Application as its agent has it. That of another uid is nobody's status. */
  async status({ name, uid, object: mirror, trace }: Body & Traced & { type: 'status' }): Promise<Outcome> {
    const outcome = await this.#rewrite(name, uid, (hub) => this.#context.rules.withStatusOf(hub, mirror));
    this.remind(name, uid, mirror, trace);
    return outcome;
  }

  /** The agent's copy knows nothing of an operation that it was told of: it is not the one that was told. */
  remind(name: string, uid: string, agents: MirroredObject, trace: string | undefined): void {
    const { store, enqueue, rules } = this.#context;
    const hub = store.get('Application', name);
    const id = hub && this.#uid(hub) === uid ? idOf(hub.operation) : undefined;
    if (id !== undefined && !rules.hasTaken(agents, id)) enqueue({ about: 'operation', name, uid }, trace);
  }

  /** Why the agent's cluster does not have the Application as it is, or (undefined) that it has. */
  reason(name: string, uid: string, reason: string | undefined): Promise<Outcome> {
    const { side, timestamp } = this.#context;
    return this.#rewrite(name, uid, (hub) => {
      const told = withAgentError(hub, side.agent, reason, timestamp());
      return reason === undefined ? told : (withFailedOperation(told ?? hub, side.agent, reason, timestamp()) ?? told);
    });
  }

  /** The operation could not be handed over. */
  operationFailed(name: string, uid: string, reason: string): Promise<Outcome> {
    return this.#rewrite(name, uid, (hub) =>
      withFailedOperation(hub, this.#context.side.agent, reason, this.#context.timestamp()),
    );
  }

  #rewrite(name: string, uid: string, change: (hub: MirroredObject) => MirroredObject | undefined): Promise<Outcome> {
    return rewriteApplication(this.#context, name, (hub) => this.#context.rules.isSame(this.#uid(hub), uid), change);
  }

  #uid(object: MirroredObject): string {
    const { role, mode } = this.#context.side;
    return (isSource(role, mode) ? object.metadata.uid : sourceUidOf(object)) ?? '';
  }
}
