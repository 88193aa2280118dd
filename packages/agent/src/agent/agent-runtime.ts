import type { ApiClient } from '@fairlead/kube';
import { changedObject, kindsOf, type MirroredKind, type Mode } from '../core/kinds.ts';
import { hasOtherNamespaces } from '../core/link-names.ts';
import type { Side } from '../core/side.ts';
import type { Link } from '../link/link.ts';
import { type LinkSettings, makeLink } from '../link/make-link.ts';
import { SideWatch } from '../link/side-watch.ts';

export interface AgentRuntimeOptions {
  readonly client: ApiClient;
  readonly agent: string;
  /** The uid of its Agent resource on the hub, if its certificate contains it. */
  readonly agentUid?: string;
  readonly mode: Mode;
  readonly namespace: string;
  /** Patterns of other namespaces in which the hub may have Applications here. */
  readonly namespaces?: readonly string[];
  readonly settings: LinkSettings;
}

/** The agent's side of its link: the informers of its cluster and the link itself. */
export class AgentRuntime {
  readonly link: Link;
  readonly #watch: SideWatch;

  constructor({ client, agent, agentUid, mode, namespace, namespaces, settings }: AgentRuntimeOptions) {
    const others = { ...(agentUid ? { agentUid } : {}), ...(namespaces ? { namespaces } : {}) };
    const side: Side = { role: 'agent', mode, agent, namespace, ...others };
    const everywhere = (kind: MirroredKind): boolean => kind === 'Application' && hasOtherNamespaces(side);
    const kinds = kindsOf(mode).map((kind) => (everywhere(kind) ? { kind } : { kind, namespace }));
    this.#watch = new SideWatch(client, kinds, settings, (kind, old, object) => {
      made.link.changed(kind, old, object, made.store.observe(kind, changedObject(old, object), object === undefined));
    });
    const made = makeLink(side, client, this.#watch, settings);
    this.link = made.link;
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#watch.run(signal);
    await this.#watch.waitForSync(signal);
  }

  async stopped(): Promise<void> {
    await this.#watch.stopped();
    await this.link.written();
  }
}
