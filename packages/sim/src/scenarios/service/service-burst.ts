import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { deployment, type Mistake, type Part, ServiceSimulation, Tenants } from './service-simulation.ts';

const burstMs = 1_500;

/**
 * A tenant makes rapid changes: within a second or two one name is created, changed, deleted, created again and synced, while everything
 * works, or while one part or both are down. The last change wins, with self-healing and without.
 */
export const serviceBurst: Scenario = serviceBurstWith(undefined);

/** With a deliberate bug, and without self-healing that would repair it. */
export function serviceBurstWith(mistake: Mistake | undefined): Scenario {
  return {
    name: 'service-burst',
    async run(sim) {
      const service = await ServiceSimulation.open(sim, {
        settings: { selfHealing: sim.seed % 2 === 1 && !mistake, healMs: 10_000 },
        databaseFaults: { requestLost: 0, answerLost: 0, notificationLost: sim.pick([0, 0, 0.5, 1]) },
        ...(mistake ? { mistake } : {}),
      });
      const parts: readonly Part[] = ['backend', 'agent'];
      for (const part of parts) service.start(part);
      for (let round = 0; round < 2; round++) {
        await burst(sim, service);
        await sim.pass(6_000);
        const away = sim.pick([[], ['backend'], ['agent'], parts] as const);
        for (const part of away) service.crash(part);
        await burst(sim, service);
        for (const part of away) service.start(part);
        await sim.pass(3_000);
      }
      const findings = await service.comesToRest(300_000);
      sim.check(
        findings.length === 0,
        `after the burst: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
      );
      const twice = service.fake.syncs.filter((id, index, all) => all.indexOf(id) !== index);
      sim.check(twice.length === 0, `started twice: ${twice.join(', ')}`);
      await sim.pass(0);
    },
  };
}

async function burst(sim: Simulation, service: ServiceSimulation): Promise<void> {
  const tenants = new Tenants(service.server);
  const acts = sim.between(2, 7);
  for (let i = 0; i < acts; i++) {
    const what = sim.pick(['put', 'put', 'put', 'remove', 'again', 'sync', 'unsync'] as const);
    const path = sim.pick(['a', 'b', 'c', 'd']);
    const wish = deployment('blue', 'shop', {
      type: sim.pick(['automated', 'manual']),
      path,
      held: sim.chance(0.3),
    });
    sim.trace(`${what} blue/shop ${path}`);
    if (what === 'put') tenants.put(wish);
    else if (what === 'remove') tenants.remove('blue', 'shop');
    else if (what === 'sync') tenants.sync('blue', `run-${i % 2}`, 'shop');
    else if (what === 'unsync') tenants.unsync('blue', `run-${i % 2}`);
    else {
      tenants.remove('blue', 'shop');
      tenants.put(wish);
    }
    await sim.pass(sim.between(0, burstMs / acts));
  }
}
