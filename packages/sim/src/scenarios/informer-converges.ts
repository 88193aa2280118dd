import { Informer, type ObjectStore } from '@fairlead/kube';
import { drawFaults } from '../fault-profile.ts';
import { digest, ReplayedView } from '../replayed-view.ts';
import type { Scenario } from '../scenario.ts';
import { matcher } from '../selector.ts';
import { SimApiServer } from '../sim-api-server.ts';
import { disturb, type Widget, widgetType } from './widgets.ts';

const selections = [{}, { namespace: 'red' }, { labelSelector: 'team=east' }];

/**
 * Whatever the server did, once it behaves the informers' copies equal its state, whether all objects or a part are watched, and
 * what handlers were told adds up to the same.
 */
export const informerConverges = (makeStore?: () => ObjectStore<Widget>): Scenario => ({
  name: 'informer-converges',
  async run(world) {
    const server = new SimApiServer(
      world,
      drawFaults((items) => world.pick(items)),
    );
    const process = world.process('app');
    const stop = new AbortController();
    const watchers = selections.map((selection) => {
      const informer = new Informer<Widget>(server.client(process), widgetType, selection, {
        clock: process.clock,
        random: process.random,
        pageSize: world.between(1, 6),
        ...(makeStore ? { store: makeStore() } : {}),
      });
      const views = [new ReplayedView<Widget>(world), new ReplayedView<Widget>(world)];
      informer.addHandler(views[0]!);
      world.schedule(world.between(0, 200_000), 'a late consumer', () => informer.addHandler(views[1]!));
      return { informer, views, wanted: () => digest(server.store.list(widgetType).filter(matcher(selection))) };
    });
    disturb(world, server.store, { writes: world.between(5, 40), withinMs: 200_000 });
    const runs = watchers.map(({ informer }) => informer.run(stop.signal));
    await world.pass(210_000);
    server.heal();
    const converged = () =>
      watchers.every(({ informer, wanted }) => informer.hasSynced && digest(informer.list()) === wanted());
    const ended = await world.reach(converged, 900_000);
    world.check(ended, 'an informer did not come to the state of the server');
    for (const { informer, views } of watchers) {
      for (const view of views) {
        world.check(digest(view.objects.values()) === digest(informer.list()), 'a handler was told something else');
      }
    }
    stop.abort();
    await world.pass(60_000);
    await Promise.all(runs);
    world.check(world.clock.pending === 0, 'a stopped informer left a timer behind');
    await world.pass(0);
  },
});
