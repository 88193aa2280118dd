import type { KubeObject, ResourceType } from '@fairlead/apimachinery';
import type { SimStore } from '../sim-store.ts';
import type { Simulation } from '../simulation.ts';

export interface Widget extends KubeObject {
  spec: { size: number };
}

export const widgetType: ResourceType = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};

const namespaces = ['red', 'blue'];
const names = ['a', 'b', 'c', 'd', 'e'];
const teams = ['east', 'west'];

export const widget = (namespace: string, name: string, size: number, team: string): Widget => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { namespace, name, labels: { team } },
  spec: { size },
});

/** Other actors: create, change, delete and recreate widgets, at times drawn from the seed. */
export function disturb(
  sim: Simulation,
  store: SimStore,
  options: { readonly writes: number; readonly withinMs: number },
): void {
  for (let i = 0; i < options.writes; i++) {
    sim.schedule(sim.between(0, options.withinMs), 'someone writes', () => writeSomething(sim, store));
  }
}

function writeSomething(sim: Simulation, store: SimStore): void {
  const key = { namespace: sim.pick(namespaces), name: sim.pick(names) };
  const fresh = widget(key.namespace, key.name, sim.between(1, 1_000), sim.pick(teams));
  const known = store.find(widgetType, key);
  if (!known) {
    store.create(widgetType, fresh);
    return;
  }
  const what = sim.pick(['change', 'change', 'change', 'delete', 'recreate'] as const);
  if (what === 'change') store.replace(widgetType, fresh);
  else store.delete(widgetType, key);
  if (what === 'recreate') store.create(widgetType, fresh);
}
