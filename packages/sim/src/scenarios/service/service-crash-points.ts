import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { deployment, type Mistake, type Part, ServiceSimulation, Tenants } from './service-simulation.ts';

/** More than the scenario has: later numbers wrap around. */
const points = 110;

/**
 * A short scenario with all actions of a tenant, in which one process crashes right before or right after one of its writes: the seed
 * determines which, and whether self-healing is on. After its restart, the result must be the same as without a crash.
 */
export const serviceCrashPoints: Scenario = serviceCrashPointsWith(undefined);

/** With a deliberate bug, and without self-healing that would repair it. */
export function serviceCrashPointsWith(mistake: Mistake | undefined): Scenario {
  return {
    name: 'service-crash-points',
    async run(sim) {
      const at = (sim.seed >> 1) % points;
      const when = sim.seed % 2 === 0 ? 'before' : 'after';
      const selfHealing = (at + Math.floor(sim.seed / (2 * points))) % 2 === 1;
      let writes = 0;
      let died: Part | undefined;
      const service = await ServiceSimulation.open(sim, {
        settings: { selfHealing: selfHealing && !mistake, healMs: 15_000 },
        ...(mistake ? { mistake } : {}),
        aroundWrite: (process, what, moment) => {
          if (moment === 'before') writes += 1;
          if (died || writes !== at + 1 || moment !== when) return;
          sim.trace(`${process.name} dies ${when} its write ${writes}: ${what}`);
          died = process.name.startsWith('backend') ? 'backend' : 'agent';
          process.crash();
          sim.schedule(sim.between(0, 40_000), `${died} is started again`, () => service.start(died!));
        },
      });
      service.start('backend');
      service.start('agent');
      await story(sim, service);
      const tenants = new Tenants(service.server);
      const succeeded = (): string => {
        const reported = tenants.run('blue', 'first')?.status?.conditions?.find(({ type }) => type === 'Succeeded');
        return `${reported?.status} ${reported?.reason}`;
      };
      const isAsWished = (): boolean =>
        tenants.find('blue', 'shop')?.status?.sync?.status === 'Synced' &&
        succeeded() === 'True Succeeded' &&
        tenants.find('green', 'page') === undefined;
      const came = await sim.reach(isAsWished, 300_000);
      sim.check(
        came,
        `the sync run says ${succeeded()}, the deployment ${tenants.find('blue', 'shop')?.status?.sync?.status}`,
      );
      const findings = await service.comesToRest(300_000);
      sim.check(
        findings.length === 0,
        `after all: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
      );
      sim.check(isAsWished(), 'what was reached stays');
      const twice = service.fake.syncs.filter((id, index, all) => all.indexOf(id) !== index);
      sim.check(twice.length === 0, `started twice: ${twice.join(', ')}`);
      await sim.pass(0);
    },
  };
}

async function story(sim: Simulation, service: ServiceSimulation): Promise<void> {
  const tenants = new Tenants(service.server);
  tenants.sync('blue', 'first', 'shop');
  await sim.pass(3_000);
  tenants.put(deployment('blue', 'shop', { type: 'manual' }));
  tenants.put(deployment('green', 'page'));
  await sim.pass(5_000);
  tenants.put(deployment('blue', 'shop', { type: 'manual', path: 'elsewhere' }));
  tenants.sync('blue', 'second', 'shop');
  await sim.pass(1_000);
  tenants.unsync('blue', 'second');
  tenants.remove('green', 'page');
  await sim.pass(20_000);
  tenants.put(deployment('green', 'page', { held: false }));
  await sim.pass(8_000);
  tenants.remove('green', 'page');
}
