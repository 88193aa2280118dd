import { type Agent, agentKind } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import { type ApiClient, type Clock, Informer, type Logger, type Random } from '@fairlead/kube';

export interface KnownAgentsOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly onChange: (agent: Agent) => void;
  readonly onGone: (name: string) => void;
}

/** A new Agent that was read from the server is used for this long, until the informer has it. */
const freshMs = 30_000;

/** The Agents of the hub. */
export class KnownAgents {
  readonly #options: KnownAgentsOptions;
  readonly #informer: Informer<Agent>;
  readonly #fresh = new Map<string, { readonly agent: Agent; readonly until: number }>();

  constructor(options: KnownAgentsOptions) {
    this.#options = options;
    const { client, namespace, clock, random, log, onChange, onGone } = options;
    this.#informer = new Informer<Agent>(client, agentKind.type, { namespace }, { clock, random, log });
    const changed = (agent: Agent): void => {
      this.#fresh.delete(agent.metadata.name);
      onChange(agent);
    };
    this.#informer.addHandler({
      onAdd: changed,
      onUpdate: (_, agent) => changed(agent),
      onDelete: ({ metadata }) => onGone(metadata.name),
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    void this.#informer.run(signal);
    await this.#informer.waitForSync(signal);
  }

  find(name: string): Agent | undefined {
    const { namespace, clock } = this.#options;
    const fresh = this.#fresh.get(name);
    return this.#informer.get(`${namespace}/${name}`) ?? (fresh && clock.now() < fresh.until ? fresh.agent : undefined);
  }

  /** As `find`, but reads from the server if it is unknown: a new agent may connect before the informer reports it. */
  async read(name: string): Promise<Agent | undefined> {
    const known = this.find(name);
    if (known) return known;
    const { client, namespace, clock } = this.#options;
    const agent = await find(client.get<Agent>(agentKind.type, { namespace, name }));
    if (agent) this.#fresh.set(name, { agent, until: clock.now() + freshMs });
    return agent;
  }
}
