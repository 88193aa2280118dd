import type { DeletionBrake } from '../core/brake.ts';
import { isSource, type MirroredKind, type MirroredObject } from '../core/kinds.ts';
import type { Body, Message } from '../core/message.ts';
import type { Subject } from '../core/outbox.ts';
import { isPlace } from '../core/place.ts';
import { AgentFlow } from './agent-flow.ts';
import { HubFlow } from './hub-flow.ts';
import type { LinkContext } from './link-options.ts';
import { MirrorEnd } from './mirror-end.ts';
import type { OperationLedger } from './operation-ledger.ts';
import { done, type Outcome, refused } from './outcome.ts';
import type { Heard } from './shelf.ts';
import { SourceEnd } from './source-end.ts';

/** Who of a link deals with what: this side's source or mirror, and the hub's or the agent's part in operations and status. */
export class Ends {
  readonly mirror: MirrorEnd | undefined;
  readonly #context: LinkContext;
  readonly #source: SourceEnd | undefined;
  readonly #hub: HubFlow | undefined;
  readonly #agent: AgentFlow | undefined;

  constructor(
    context: LinkContext,
    brake: DeletionBrake,
    ledger: Pick<OperationLedger, 'begin' | 'close'> | undefined,
  ) {
    const { role, mode } = context.side;
    const source = isSource(role, mode);
    this.#context = context;
    this.#source = source ? new SourceEnd(context) : undefined;
    this.mirror = source ? undefined : new MirrorEnd(context, brake);
    this.#hub = role === 'principal' ? new HubFlow(context) : undefined;
    this.#agent = role === 'agent' ? new AgentFlow(context, ledger!) : undefined;
  }

  changed(
    kind: MirroredKind,
    old: MirroredObject | undefined,
    object: MirroredObject | undefined,
    { own, settled }: Heard,
  ): void {
    if (!isPlace(this.#context.side, kind, (object ?? old)!.metadata.namespace)) return;
    this.#source?.changed(kind, old, object);
    this.mirror?.changed(kind, old, object, own);
    if (kind !== 'Application') return;
    this.#hub?.changed(object);
    if (!settled) this.#agent?.changed(old, object);
  }

  connected(): void {
    this.#hub?.connected();
    if (this.mirror) this.compareAll();
    else if (!this.#context.peer().fairlead) this.#context.tell({ about: 'resync' });
  }

  /** argocd-agent's source lists what it has, and has to be asked about everything else. */
  compareAll(trace?: string): void {
    const { tell, peer } = this.#context;
    tell({ about: 'list' }, trace);
    if (peer().fairlead) return;
    for (const { kind, name, uid } of this.mirror!.list()) tell({ about: 'verify', kind, name, uid }, trace);
  }

  /** What there is to say about a subject now, if anything. */
  async compose(subject: Subject): Promise<Body | undefined> {
    switch (subject.about) {
      case 'state':
        return this.#source?.compose(subject);
      case 'gone':
      case 'verify':
      case 'ask':
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
    const { tell, side } = this.#context;
    switch (message.type) {
      case 'upsert':
        return mirror ? this.#upsert(mirror, message) : refused(`the ${side.role} is the source: it takes no state`);
      case 'delete':
        return mirror ? mirror.delete(message) : source!.mirrorGone(message);
      case 'verify': {
        const { kind, name, uid } = message.item;
        // To argocd-agent's mirrors its list comes one object at a time.
        if (mirror) tell({ about: 'verify', kind, name, uid }, message.trace);
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
          : refused('the status of an Application is its source’s');
      case 'operation':
      case 'terminate':
        return this.#agent ? this.#agent.operation(message) : refused('operations run where the agent is');
      case 'error':
        return this.#hub ? this.reason(message.kind, message.name, undefined, message.message) : done;
      default:
        return refused('not understood');
    }
  }

  /** The other end has dealt with it. */
  answered(subject: Subject): void {
    this.mirror?.answered(subject);
  }

  /** Why the other side does not have an Application as it is, or (undefined) that it has. It is said where people look: on the Application. */
  async reason(
    kind: MirroredKind,
    name: string,
    uid: string | undefined,
    reason: string | undefined,
  ): Promise<Outcome> {
    if (kind !== 'Application') return done;
    const known = uid ?? this.#context.shelf.get(kind, name)?.metadata.uid;
    if (known === undefined) return done;
    if (this.#hub) return this.#hub.reason(name, known, reason);
    return this.#source ? this.#agent!.reason(name, known, reason) : done;
  }

  async operationFailed(name: string, uid: string, reason: string): Promise<void> {
    await this.#hub?.operationFailed(name, uid, reason);
  }

  async #upsert(mirror: MirrorEnd, message: Message & { type: 'upsert' }): Promise<Outcome> {
    const outcome = await mirror.upsert(message);
    const { name, object, trace } = message;
    if (message.kind === 'Application') this.#hub?.remind(name, object.metadata.uid ?? '', object, trace);
    return outcome;
  }
}
