import { type Message, type MirroredKind, type MirroredObject, type Mode, sourceUidOf } from '@fairlead/agent';
import { uidOf } from '@fairlead/apimachinery';
import type { SimProcess } from '../../sim-process.ts';
import type { Simulation } from '../../simulation.ts';
import type { Fleet } from './fleet.ts';
import { everyObject } from './ownership.ts';

type Lie = (known: readonly MirroredObject[]) => Record<string, unknown> & { readonly type: Message['type'] };

/**
 * An agent that is authenticated and lies: it claims names and uids of other agents' objects, reports deletions and statuses of them,
 * lists nothing or everything, acknowledges what it never received, and replays what it sent before.
 */
export class LyingAgent {
  readonly #sim: Simulation;
  readonly #fleet: Fleet;
  readonly #agent: string;
  readonly #process: SimProcess;
  readonly #sent: Message[] = [];
  readonly #received: Message[] = [];
  #send: ((message: Message) => void) | undefined;
  #number = 0;

  constructor(sim: Simulation, fleet: Fleet, agent: string) {
    this.#sim = sim;
    this.#fleet = fleet;
    this.#agent = agent;
    this.#process = sim.process(`${agent}-lying`);
  }

  /** Sends one false message, over a new stream if it has none, or at random. */
  lie(): void {
    const sim = this.#sim;
    if (!this.#send || sim.chance(0.1))
      this.#send = this.#fleet.openStream(this.#agent, this.#process, (message) => void this.#received.push(message));
    const message = this.#sent.length > 0 && sim.chance(0.15) ? sim.pick(this.#sent) : this.#invent();
    this.#sent.push(message);
    sim.trace(`${this.#agent} lies: ${message.label}`);
    this.#send?.(message);
  }

  #invent(): Message {
    const known = everyObject(this.#fleet);
    const body = this.#sim.pick(this.#lies)(known);
    const header = { epoch: this.#sim.pick([this.#process.name, 'another']), number: ++this.#number };
    return { ...header, ...body, label: `${body.type} ${JSON.stringify(body).slice(0, 120)}` } as Message;
  }

  #name(known: readonly MirroredObject[]): string {
    const names = known.flatMap(({ metadata: { name, namespace = '' } }) => [
      name,
      `${namespace}/${name}`,
      `a-${name}`,
    ]);
    return this.#sim.pick(['a', 'admin', 'argocd/a', 'edge/a', 'site/a', '../argocd/a', 'x'.repeat(300), ...names]);
  }

  #uid(known: readonly MirroredObject[]): string {
    const uids = known.flatMap((object) => [uidOf(object), sourceUidOf(object) ?? 'none']);
    return this.#sim.pick(['', 'invented', ...uids]);
  }

  #kind(): MirroredKind {
    return this.#sim.pick(['Application', 'AppProject', 'Repository'] as const);
  }

  #object(known: readonly MirroredObject[], name: string): MirroredObject {
    const lies = {
      'fairlead.dev/agent': this.#sim.pick(['site', 'site-a', 'edge']),
      'fairlead.dev/agent-uid': 'uid-of-site',
      'argocd.argoproj.io/source-uid': this.#uid(known),
      'argocd.argoproj.io/adoption-policy': 'always',
    };
    const deleting = this.#sim.chance(0.3) ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name, uid: this.#uid(known), annotations: lies, ...deleting },
      spec: { description: 'a lie', source: { path: 'a-lie' }, destinations: [{ name: '*', namespace: '*' }] },
      status: { observed: { uid: 'a lie' } },
    };
  }

  readonly #lies: readonly Lie[] = [
    (known) => {
      const name = this.#name(known);
      return { type: 'upsert', kind: this.#kind(), name, object: this.#object(known, name), create: false };
    },
    (known) => {
      const name = this.#name(known);
      return { type: 'upsert', kind: 'AppProject', name, object: this.#object(known, name), create: true };
    },
    (known) => ({
      type: 'delete',
      kind: this.#kind(),
      name: this.#name(known),
      uid: this.#uid(known),
      ...(this.#sim.chance(0.5) ? { ordered: this.#sim.chance(0.5) } : {}),
      together: this.#sim.pick([1, 0, -1, 1e9]),
    }),
    (known) => {
      const name = this.#name(known);
      return { type: 'status', name, uid: this.#uid(known), object: this.#object(known, name) };
    },
    (known) => ({
      type: 'verify-all',
      items: known.map((object) => ({
        kind: this.#kind(),
        name: object.metadata.name,
        uid: uidOf(object),
        content: '',
      })),
    }),
    (known) => ({
      type: 'list',
      round: this.#received.findLast(({ type }) => type === 'list-request')?.number ?? this.#sim.between(0, 50),
      part: 0,
      parts: 1,
      items: this.#sim.chance(0.5)
        ? []
        : known.map((object) => ({ kind: this.#kind(), name: this.#name(known), uid: uidOf(object), content: 'x' })),
    }),
    () => ({ type: 'list-request', checksum: '', content: 'a lie' }),
    () => ({ type: 'processed', of: this.#sim.between(0, 50), also: [1, 2, 3] }),
    (known) => ({ type: 'error', kind: 'Application', name: this.#name(known), message: 'a lie' }),
    () => ({ type: 'resync' }),
    () => ({ type: 'pong', confirm: 'a lie' }),
    (known) => ({ type: 'operation', name: this.#name(known), uid: this.#uid(known), id: 'a lie', operation: {} }),
  ];
}

export const modesOfLiars: readonly Mode[] = ['managed', 'autonomous'];
