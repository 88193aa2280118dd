import { must } from '@fairlead/apimachinery';
import type { DeletionBrake } from '../../core/brake.ts';
import { changedObject, isSource, type MirroredKind, type MirroredObject } from '../../core/kinds.ts';
import { isLinkedNamespace } from '../../core/link-names.ts';
import type { Body, Message } from '../../core/message.ts';
import type { Subject } from '../../core/outbox.ts';
import { isKnownTo } from '../connection.ts';
import type { LinkContext } from '../link-options.ts';
import type { ObservedChange } from '../mirror-store.ts';
import { done, type Outcome, refused } from '../outcome.ts';
import { AgentEndpoint } from './agent-endpoint.ts';
import { HubEndpoint } from './hub-endpoint.ts';
import { MirrorEndpoint } from './mirror-endpoint.ts';
import type { OperationLedger } from './operation-ledger.ts';
import { SourceEndpoint } from './source-endpoint.ts';

/** Dispatches to this side's source or mirror, and to the hub's or the agent's part in operations and status. */
export class LinkEndpoints {
  readonly mirror: MirrorEndpoint | undefined;
  readonly #context: LinkContext;
  readonly #source: SourceEndpoint | undefined;
  readonly #hub: HubEndpoint | undefined;
  readonly #agent: AgentEndpoint | undefined;

  constructor(
    context: LinkContext,
    brake: DeletionBrake,
    ledger: Pick<OperationLedger, 'begin' | 'close'> | undefined,
  ) {
    const { role, mode } = context.side;
    const source = isSource(role, mode);
    this.#context = context;
    this.#source = source ? new SourceEndpoint(context) : undefined;
    this.mirror = source ? undefined : new MirrorEndpoint(context, brake);
    this.#hub = role === 'principal' ? new HubEndpoint(context) : undefined;
    this.#agent =
      role === 'agent' ? new AgentEndpoint(context, must(ledger, 'the operation ledger of an agent')) : undefined;
  }

  changed(
    kind: MirroredKind,
    old: MirroredObject | undefined,
    object: MirroredObject | undefined,
    { own, settled }: ObservedChange,
  ): void {
    if (!isLinkedNamespace(this.#context.side, kind, changedObject(old, object).metadata.namespace)) return;
    this.#source?.changed(kind, old, object);
    this.mirror?.changed(kind, old, object, own);
    if (kind !== 'Application') return;
    this.#hub?.changed(object);
    if (!settled) this.#agent?.changed(old, object);
  }

  connected(): void {
    this.#hub?.connected();
    if (this.mirror) return this.compareAll();
    if (this.#context.peer().fairlead) return;
    // After a resync request, argocd-agent asks for the objects that it has, and for no others.
    this.#context.enqueue({ about: 'resync' });
    this.#source?.sendAll();
  }

  /** argocd-agent's source lists its own objects, so every mirror must be verified separately. */
  compareAll(trace?: string): void {
    const { enqueue, peer } = this.#context;
    enqueue({ about: 'list' }, trace);
    if (peer().fairlead) return;
    for (const { kind, name, uid } of this.mirror?.list() ?? []) enqueue({ about: 'verify', kind, name, uid }, trace);
  }

  /** The message to send about a subject now, if any. */
  async compose(subject: Subject): Promise<Body | undefined> {
    if ('kind' in subject && !isKnownTo(this.#context.peer(), subject.kind)) return undefined;
    switch (subject.about) {
      case 'state':
        return this.#source?.compose(subject);
      case 'gone':
      case 'verify':
      case 'verify-batch':
      case 'list':
        return this.mirror?.compose(subject);
      case 'status':
        return this.#agent?.compose(subject);
      case 'operation':
        return this.#hub?.compose(subject);
      case 'resync':
        return { type: 'resync' };
    }
  }

  async handle(message: Message): Promise<Outcome> {
    const { mirror } = this;
    const source = this.#source;
    const { enqueue, side } = this.#context;
    switch (message.type) {
      case 'upsert':
        return mirror ? this.#upsert(mirror, message) : refused(`the ${side.role} is the source and accepts no states`);
      case 'delete':
        if (mirror) return mirror.delete(message);
        return source ? source.mirrorGone(message) : done;
      case 'verify': {
        const { kind, name, uid } = message.item;
        // argocd-agent sends its list one object at a time.
        if (mirror) enqueue({ about: 'verify', kind, name, uid }, message.trace);
        return source ? source.verify(message) : done;
      }
      case 'verify-all':
        for (const item of message.items) source?.verify({ ...message, type: 'verify', item });
        return done;
      case 'list-request':
        return source ? source.answerList(message) : refused('only the source has a list');
      case 'resync':
        if (mirror) this.compareAll(message.trace);
        return done;
      case 'status':
        return this.#hub && source
          ? this.#hub.status(message)
          : refused('the status of this Application comes from its source');
      case 'operation':
      case 'terminate':
        return this.#agent ? this.#agent.operation(message) : refused('operations run at the agent');
      case 'error':
        return this.#hub ? this.reason(message.kind, message.name, undefined, message.message) : done;
      default:
        return refused('unknown message');
    }
  }

  /** The peer has processed a message about the subject. */
  acknowledged(subject: Subject): void {
    this.mirror?.acknowledged(subject);
  }

  /** Reports on the Application why the other side does not have it as it is, or (undefined) that it has. */
  async reason(
    kind: MirroredKind,
    name: string,
    uid: string | undefined,
    reason: string | undefined,
  ): Promise<Outcome> {
    if (kind !== 'Application') return done;
    const known = uid ?? this.#context.store.get(kind, name)?.metadata.uid;
    if (known === undefined) return done;
    if (this.#hub) return this.#hub.reason(name, known, reason);
    return this.#source && this.#agent ? this.#agent.reason(name, known, reason) : done;
  }

  async operationFailed(name: string, uid: string, reason: string): Promise<void> {
    await this.#hub?.operationFailed(name, uid, reason);
  }

  async #upsert(mirror: MirrorEndpoint, message: Message & { type: 'upsert' }): Promise<Outcome> {
    const outcome = await mirror.upsert(message);
    const { name, object, trace } = message;
    if (message.kind === 'Application') this.#hub?.remind(name, object.metadata.uid ?? '', object, trace);
    return outcome;
  }
}
