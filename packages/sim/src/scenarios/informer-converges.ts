import { Informer, type ObjectStore } from '@fairlead/kube';
import { drawFaults } from '../fault-profile.ts';
import { digest, ReplayedView } from '../replayed-view.ts';
import type { Scenario } from '../scenario.ts';
import { matcher } from '../selector.ts';
import { SimApiServer } from '../sim-api-server.ts';
import { disturb, type Widget, widgetType } from './widgets.ts';

const selections = [{}, { namespace: 'red' }, { labelSelector: 'team=east' }];

/**
 * After any server faults, once they stop, the caches of the informers equal the state of the server, for all objects or a selection, and
 * the events of the handlers add up to the same.
 */
export const informerConverges = (makeStore?: () => ObjectStore<Widget>): Scenario => ({
  name: 'informer-converges',
  async run(sim) {
    const server = new SimApiServer(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
    const process = sim.process('app');
    const stop = new AbortController();
    const watchers = selections.map((selection) => {
      const informer = new Informer<Widget>(server.client(process), widgetType, selection, {
        clock: process.clock,
        random: process.random,
        pageSize: sim.between(1, 6),
        ...(makeStore ? { store: makeStore() } : {}),
      });
      const views = [new ReplayedView<Widget>(sim), new ReplayedView<Widget>(sim)];
      informer.addHandler(views[0]!);
      sim.schedule(sim.between(0, 200_000), 'a late consumer', () => informer.addHandler(views[1]!));
      return { informer, views, desired: () => digest(server.store.list(widgetType).filter(matcher(selection))) };
    });
    disturb(sim, server.store, { writes: sim.between(5, 40), withinMs: 200_000 });
    const runs = watchers.map(({ informer }) => informer.run(stop.signal));
    await sim.pass(210_000);
    server.heal();
    const converged = () =>
      watchers.every(({ informer, desired }) => informer.hasSynced && digest(informer.list()) === desired());
    const ended = await sim.reach(converged, 900_000);
    sim.check(ended, 'an informer did not come to the state of the server');
    for (const { informer, views } of watchers) {
      for (const view of views) {
        sim.check(digest(view.objects.values()) === digest(informer.list()), 'a handler received other events');
      }
    }
    stop.abort();
    await sim.pass(60_000);
    await Promise.all(runs);
    sim.check(sim.clock.pending === 0, 'a stopped informer left a timer behind');
    await sim.pass(0);
  },
});
