import { isSource, type MirroredObject, sourceUidOf } from '../../core/kinds.ts';
import { linkName } from '../../core/link-names.ts';
import type { Body, Traced } from '../../core/message.ts';
import { askedOperation, idOf, pendingOperation, withId } from '../../core/operation.ts';
import type { Subject } from '../../core/outbox.ts';
import { withAgentError, withFailedOperation } from '../../core/status.ts';
import { beginTrace } from '../../core/trace.ts';
import type { LinkContext } from '../link-options.ts';
import { isOutdated, type Outcome } from '../outcome.ts';
import { rewriteApplication } from './rewrite-application.ts';

const tries = 4;

/** Operations and error conditions of the hub's Applications, for either side as their source. */
export class HubEndpoint {
  readonly #context: LinkContext;

  constructor(context: LinkContext) {
    this.#context = context;
  }

  changed(object: MirroredObject | undefined): void {
    if (!object) return;
    const uid = this.#uid(object);
    if (!object.operation) this.#traces.delete(uid);
    if (!object.operation || !this.#context.store.belongs('Application', object)) return;
    const name = linkName(this.#context.side, 'Application', object);
    this.#context.enqueue({ about: 'operation', name, uid }, this.#traceOf(uid, object));
  }

  /** One trace for one operation, although its Application changes while it waits: it gets an id, and a status. */
  #traceOf(uid: string, object: MirroredObject): string {
    const asked = askedOperation(object);
    const known = this.#traces.get(uid);
    if (known?.asked === asked) return known.trace;
    const trace = beginTrace(this.#context.nonce);
    this.#traces.set(uid, { asked, trace });
    return trace;
  }

  /** By uid, the operation that waits and its trace. */
  readonly #traces = new Map<string, { readonly asked: string; readonly trace: string }>();

  /** On every connect: operations may have been set while no event was received. */
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
        // The id is stored before the operation is sent, so that a retry sends the same operation.
        await store.replace('Application', { ...object, operation: withId(object.operation ?? {}, nonce()) });
      } catch (error) {
        if (!isOutdated(error)) throw error;
      }
    }
    throw new Error('the object changes too often');
  }

  /** Stores the agent's status of an Application. The status of another uid is ignored. */
  async status({ name, uid, object: mirror, trace }: Body & Traced & { type: 'status' }): Promise<Outcome> {
    const outcome = await this.#rewrite(name, uid, (hub) => this.#context.rules.withStatusOf(hub, mirror));
    this.remind(name, uid, mirror, trace);
    return outcome;
  }

  /** Sends the operation again if the agent's copy does not have it: the copy was recreated since. */
  remind(name: string, uid: string, agents: MirroredObject, trace: string | undefined): void {
    const { store, enqueue, rules } = this.#context;
    const hub = store.get('Application', name);
    const id = hub && this.#uid(hub) === uid ? idOf(hub.operation) : undefined;
    if (id !== undefined && !rules.hasTaken(agents, id)) enqueue({ about: 'operation', name, uid }, trace);
  }

  /** Reports why the agent's cluster does not have the Application as it is, or (undefined) that it has. */
  reason(name: string, uid: string, reason: string | undefined): Promise<Outcome> {
    const { side, timestamp } = this.#context;
    return this.#rewrite(name, uid, (hub) => {
      const reported = withAgentError(hub, side.agent, reason, timestamp());
      return reason === undefined
        ? reported
        : (withFailedOperation(reported ?? hub, side.agent, reason, timestamp()) ?? reported);
    });
  }

  /** The operation could not be sent to the agent. */
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
