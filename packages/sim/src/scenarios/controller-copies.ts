import { type KubeObject, parseKey, type ResourceType } from '@fairlead/apimachinery';
import { Controller, done, ExponentialBackoff, Informer, Lanes, type Outcome } from '@fairlead/kube';
import { drawFaults } from '../fault-profile.ts';
import type { Scenario } from '../scenario.ts';
import { SimApiServer } from '../sim-api-server.ts';
import type { Simulation } from '../simulation.ts';
import { disturb, type Widget, widgetType } from './widgets.ts';

interface Copy extends KubeObject {
  spec: { size: number; of: string };
}

const copyType: ResourceType = { ...widgetType, kind: 'Copy', plural: 'copies' };
const cap = 2;

/**
 * A controller that keeps a copy of every widget, through a server that misbehaves, and that crashes and restarts. No key is processed
 * twice at once, no lane exceeds its limit, and in the end each widget has exactly one copy, with its uid.
 */
export const controllerCopies: Scenario = {
  name: 'controller-copies',
  async run(sim) {
    const server = new SimApiServer(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
    disturb(sim, server.store, { writes: sim.between(5, 30), withinMs: 200_000 });
    let stop = startCopier(sim, server, 'copier-0');
    for (let restart = 1; restart <= sim.between(0, 2); restart++) {
      await sim.pass(sim.between(1_000, 90_000));
      stop();
      stop = startCopier(sim, server, `copier-${restart}`);
    }
    await sim.pass(210_000);
    server.heal();
    const desired = () => server.store.list<Widget>(widgetType).map((w) => line(w, w.metadata.uid ?? '', w.spec.size));
    const copies = () => server.store.list<Copy>(copyType).map((c) => line(c, c.spec.of, c.spec.size));
    const copied = await sim.reach(() => desired().join() === copies().join(), 900_000);
    sim.check(copied, `the copies are [${copies()}] and not [${desired()}]`);
    await sim.pass(0);
  },
};

const line = ({ metadata }: KubeObject, of: string, size: number) =>
  `${metadata.namespace}/${metadata.name} ${of} ${size}`;

/** Returns a function that stops it, gracefully or with a crash. */
function startCopier(sim: Simulation, server: SimApiServer, name: string): () => void {
  const process = sim.process(name);
  const { clock, random } = process;
  const client = server.client(process);
  const stop = new AbortController();
  const widgets = new Informer<Widget>(client, widgetType, {}, { clock, random, pageSize: 3 });
  const copies = new Informer<Copy>(client, copyType, {}, { clock, random, pageSize: 3 });
  const inHands = new Set<string>();

  const copy = async (key: string, signal: AbortSignal): Promise<Outcome> => {
    const widget = widgets.get(key);
    const known = copies.get(key);
    if (!widget) {
      if (known) await client.delete(copyType, parseKey(key), { preconditions: { uid: known.metadata.uid! }, signal });
      return done;
    }
    const spec = { size: widget.spec.size, of: widget.metadata.uid! };
    const { namespace, name: own } = widget.metadata;
    const metadata = { ...(namespace ? { namespace } : {}), name: own };
    if (!known)
      await client.create<Copy>(copyType, { apiVersion: 'example.com/v1', kind: 'Copy', metadata, spec }, { signal });
    else if (known.spec.size !== spec.size || known.spec.of !== spec.of) {
      await client.replace(copyType, { ...known, spec }, { signal });
    }
    return done;
  };

  const controller = new Controller({
    name,
    clock,
    concurrency: 3,
    order: new Lanes({ laneOf, limits: () => ({ maxInFlight: cap }) }),
    rateLimiter: new ExponentialBackoff({ baseMs: 50, maxMs: 20_000 }),
    reconcile: async (key, { signal }) => {
      sim.check(!inHands.has(key), `${key} is in two hands`);
      inHands.add(key);
      const together = [...inHands].filter((other) => laneOf(other) === laneOf(key)).length;
      sim.check(together <= cap, `${together} keys of lane ${laneOf(key)} are in flight`);
      try {
        return await copy(key, signal);
      } finally {
        inHands.delete(key);
      }
    },
  })
    .watch(widgets)
    .watch(copies);
  for (const part of [widgets, copies, controller]) void part.run(stop.signal);
  return () => (sim.chance(0.5) ? process.crash() : stop.abort());
}

const laneOf = (key: string): string => key.split('/')[0]!;
