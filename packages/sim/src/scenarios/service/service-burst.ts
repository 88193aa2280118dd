import type { Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { deployment, type Mistake, type Part, ServiceWorld, Tenants } from './service-world.ts';

const burstMs = 1_500;

/**
 * A tenant changes its mind: within a second or two one name is created, changed, deleted, created again and synced, while everything
 * works, or while one part or both are away. Then all is as the last word says, with self-healing and without.
 */
export const serviceBurst: Scenario = serviceBurstWith(undefined);

/** With something that is done wrong on purpose, and without self-healing to make up for it. */
export function serviceBurstWith(mistake: Mistake | undefined): Scenario {
  return {
    name: 'service-burst',
    async run(world) {
      const service = await ServiceWorld.open(world, {
        settings: { selfHealing: world.seed % 2 === 1 && !mistake, healMs: 10_000 },
        databaseFaults: { requestLost: 0, answerLost: 0, noticeLost: world.pick([0, 0, 0.5, 1]) },
        ...(mistake ? { mistake } : {}),
      });
      const parts: readonly Part[] = ['backend', 'agent'];
      for (const part of parts) service.start(part);
      for (let round = 0; round < 2; round++) {
        await burst(world, service);
        await world.pass(6_000);
        const away = world.pick([[], ['backend'], ['agent'], parts] as const);
        for (const part of away) service.crash(part);
        await burst(world, service);
        for (const part of away) service.start(part);
        await world.pass(3_000);
      }
      const findings = await service.comesToRest(300_000);
      world.check(
        findings.length === 0,
        `after the burst: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
      );
      const twice = service.standIn.syncs.filter((id, index, all) => all.indexOf(id) !== index);
      world.check(twice.length === 0, `begun twice: ${twice.join(', ')}`);
      await world.pass(0);
    },
  };
}

async function burst(world: World, service: ServiceWorld): Promise<void> {
  const tenants = new Tenants(service.server);
  const acts = world.between(2, 7);
  for (let i = 0; i < acts; i++) {
    const what = world.pick(['put', 'put', 'put', 'remove', 'again', 'sync', 'unsync'] as const);
    const path = world.pick(['a', 'b', 'c', 'd']);
    const wish = deployment('blue', 'shop', {
      type: world.pick(['automated', 'manual']),
      path,
      held: world.chance(0.3),
    });
    world.trace(`${what} blue/shop ${path}`);
    if (what === 'put') tenants.put(wish);
    else if (what === 'remove') tenants.remove('blue', 'shop');
    else if (what === 'sync') tenants.sync('blue', `run-${i % 2}`, 'shop');
    else if (what === 'unsync') tenants.unsync('blue', `run-${i % 2}`);
    else {
      tenants.remove('blue', 'shop');
      tenants.put(wish);
    }
    await world.pass(world.between(0, burstMs / acts));
  }
}
