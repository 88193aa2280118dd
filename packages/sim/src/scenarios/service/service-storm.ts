import { drawFaults, noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { Simulation } from '../../simulation.ts';
import { deployment, type Part, ServiceSimulation, Tenants } from './service-simulation.ts';
import { noDatabaseFaults } from './sim-database.ts';

const namespaces = ['blue', 'green'];
const names = ['shop', 'page', 'mail'];
const stormMs = 120_000;

/**
 * Tenants create, change, delete and create again; both processes crash and restart, the database and the API server fail, lose responses
 * and hang. Afterwards, rows, Applications and resources agree, nothing remains, and no sync was started twice: with self-healing, and
 * without.
 */
export const serviceStorm: Scenario = {
  name: 'service-storm',
  async run(sim) {
    const often = sim.pick([0, 0.05, 0.2]);
    const service = await ServiceSimulation.open(sim, {
      settings: { selfHealing: sim.seed % 2 === 1, healMs: 30_000 },
      faults: sim.chance(0.5)
        ? drawFaults((items) => sim.pick(items))
        : { ...noFaults, serverError: 0.2, answerLost: 0.05 },
      databaseFaults: {
        requestLost: often,
        answerLost: sim.pick([0, 0.05, 0.1]),
        notificationLost: sim.pick([0, 0.3, 1]),
      },
    });
    service.start('backend');
    service.start('agent');
    const events = sim.plan(plan(sim, service));
    for (const { at, label, run } of events) sim.schedule(at, label, run);
    await sim.pass(stormMs + 30_000);
    service.server.heal();
    service.database.faults = noDatabaseFaults;
    service.database.down = false;
    for (const part of ['backend', 'agent'] as const) if (!service.isUp(part)) service.start(part);
    const findings = await service.comesToRest(1_800_000);
    sim.check(
      findings.length === 0,
      `after the storm: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
    );
    const twice = service.fake.syncs.filter((id, index, all) => all.indexOf(id) !== index);
    sim.check(twice.length === 0, `started twice: ${twice.join(', ')}`);
    await sim.pass(0);
  },
};

interface PlannedEvent {
  readonly at: number;
  readonly label: string;
  run(): void;
}

function plan(sim: Simulation, service: ServiceSimulation): PlannedEvent[] {
  const tenants = new Tenants(service.server);
  const events: PlannedEvent[] = [];
  const add = (label: string, run: () => void): void => void events.push({ at: sim.between(0, stormMs), label, run });
  for (let i = 0; i < 16; i++) {
    const [namespace, name] = [sim.pick(namespaces), sim.pick(names)];
    const wish = deployment(namespace, name, {
      type: sim.pick(['automated', 'manual']),
      path: sim.pick(['a', 'b', 'c']),
      held: sim.chance(0.5),
    });
    const what = sim.pick(['put', 'put', 'remove', 'sync', 'unsync', 'again'] as const);
    add(`${what} ${namespace}/${name}`, () => {
      if (what === 'put') tenants.put(wish);
      else if (what === 'remove') tenants.remove(namespace, name);
      else if (what === 'sync') tenants.sync(namespace, `run-${i % 4}`, name);
      else if (what === 'unsync') tenants.unsync(namespace, `run-${i % 4}`);
      else {
        tenants.remove(namespace, name);
        tenants.put(wish);
      }
    });
  }
  const parts: Part[] = ['backend', 'agent'];
  for (let i = 0; i < sim.between(0, 4); i++) {
    const part = sim.pick(parts);
    const awayMs = sim.between(0, 30_000);
    add(`${part} dies for ${awayMs} ms`, () => {
      service.crash(part);
      sim.schedule(awayMs, `${part} is started again`, () => {
        if (!service.isUp(part)) service.start(part);
      });
    });
  }
  if (sim.chance(0.4)) {
    const awayMs = sim.between(1_000, 40_000);
    add(`the database is down for ${awayMs} ms`, () => {
      service.database.down = true;
      sim.schedule(awayMs, 'the database is back', () => {
        service.database.down = false;
      });
    });
  }
  return events;
}
