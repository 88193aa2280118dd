import type { ApiClient } from '@fairlead/kube';
import type { Mapping, MirroredKind, MirroredObject, Mode } from '../core/kinds.ts';
import { changedObject } from '../core/kinds.ts';
import type { Owner } from '../core/owner.ts';
import { isByDestination, type Side } from '../core/side.ts';
import { destinationOf } from '../core/translate.ts';
import type { Link } from '../link/link.ts';
import { type LinkSettings, type MadeLink, makeLink } from '../link/make-link.ts';
import { SideWatch } from '../link/side-watch.ts';

export interface PrincipalLinksOptions {
  readonly client: ApiClient;
  /** The namespace of projects and repositories. */
  readonly namespace: string;
  /** Patterns of other namespaces whose Applications go to the agent that their destination names. */
  readonly namespaces?: readonly string[];
  /** Whether a namespace belongs to an agent that is mapped by namespace. */
  readonly isTaken?: (namespace: string) => boolean;
  /** Whether the hub has an Agent with this name and, if it is given, this uid. */
  readonly agentExists?: (agent: Owner) => boolean;
  readonly settings: LinkSettings;
  readonly onReport?: (agent: string) => void;
}

/** The hub's side of all links: one set of informers, and one link for each agent. */
export class PrincipalLinks {
  readonly #options: PrincipalLinksOptions;
  readonly #watch: SideWatch;
  readonly #links = new Map<string, MadeLink>();

  constructor(options: PrincipalLinksOptions) {
    this.#options = options;
    const { client, namespace, settings } = options;
    this.#watch = new SideWatch(
      client,
      [
        { kind: 'Application' },
        { kind: 'AppProject', namespace },
        { kind: 'Repository', namespace },
        { kind: 'GPGKey', namespace },
      ],
      settings,
      (kind, old, object) => this.#changed(kind, old, object),
    );
  }

  get agents(): Iterable<string> {
    return this.#links.keys();
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#watch.run(signal);
    await this.#watch.waitForSync(signal);
  }

  async stopped(): Promise<void> {
    await this.#watch.stopped();
    await this.written();
  }

  /** Waits until the pending subjects are saved, if they are saved at all. */
  async written(): Promise<void> {
    await Promise.all(Array.from(this.#links.values(), ({ link }) => link.written()));
  }

  find(agent: string): Link | undefined {
    return this.#links.get(agent)?.link;
  }

  /** The link to an agent; it is recreated if the mode or mapping has changed, or if the Agent was deleted and created again. */
  link({ agent, uid }: Owner, mode: Mode, mapping: Mapping = 'namespace'): Link {
    const known = this.#links.get(agent);
    const before = known?.link.side;
    if (known && before?.mode === mode && before.mapping === mapping && before.agentUid === uid) return known.link;
    const { client, namespace, namespaces, isTaken, agentExists, settings, onReport } = this.#options;
    const others = {
      ...(uid ? { agentUid: uid } : {}),
      ...(namespaces ? { namespaces } : {}),
      ...(isTaken ? { isTaken } : {}),
      ...(agentExists ? { agentExists } : {}),
    };
    const side: Side = { role: 'principal', mode, agent, namespace, mapping, ...others };
    const made = makeLink(side, client, this.#watch, { ...settings, onReport: () => onReport?.(agent) });
    this.#links.set(agent, made);
    return made.link;
  }

  forget(agent: string): void {
    this.#links.delete(agent);
  }

  #changed(kind: MirroredKind, old: MirroredObject | undefined, object: MirroredObject | undefined): void {
    for (const made of kind === 'Application' ? this.#linksOf(old, object) : this.#links.values()) {
      made.link.changed(kind, old, object, made.store.observe(kind, changedObject(old, object), object === undefined));
    }
  }

  /** The links of an Application, before and after the change: by its namespace, or by its destination. */
  #linksOf(old: MirroredObject | undefined, object: MirroredObject | undefined): MadeLink[] {
    const { namespace = '' } = changedObject(old, object).metadata;
    const named = (application: MirroredObject | undefined) => (application ? [destinationOf(application)] : []);
    const own = this.#links.get(namespace);
    const made = [...new Set([...named(old), ...named(object)])].map((agent) => this.#links.get(agent));
    return [own && !isByDestination(own.link.side) ? own : undefined, ...made.filter(isMapped)].filter(
      (link) => link !== undefined,
    );
  }
}

const isMapped = (made: MadeLink | undefined): boolean => made !== undefined && isByDestination(made.link.side);
