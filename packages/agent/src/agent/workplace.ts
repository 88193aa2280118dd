import type { ApiClient } from '@fairlead/kube';
import { kindsOf, type Mode } from '../core/kinds.ts';
import type { Link } from '../link/link.ts';
import { type LinkSettings, makeLink } from '../link/make-link.ts';
import { SideWatch } from '../link/side-watch.ts';

export interface WorkplaceOptions {
  readonly client: ApiClient;
  readonly agent: string;
  readonly mode: Mode;
  readonly namespace: string;
  readonly settings: LinkSettings;
}

/** The agent's side of its link: the informers of its cluster and the link itself. */
export class Workplace {
  readonly link: Link;
  readonly #watch: SideWatch;

  constructor({ client, agent, mode, namespace, settings }: WorkplaceOptions) {
    const kinds = kindsOf(mode).map((kind) => ({ kind, namespace }));
    this.#watch = new SideWatch(client, kinds, settings, (kind, old, object) => {
      made.link.changed(kind, old, object, made.shelf.heard(kind, (object ?? old)!, object === undefined));
    });
    const made = makeLink({ role: 'agent', mode, agent, namespace }, client, this.#watch, settings);
    this.link = made.link;
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#watch.run(signal);
    await this.#watch.waitForSync(signal);
  }

  stopped(): Promise<void> {
    return this.#watch.stopped();
  }
}
