import { drawFaults, noFaults } from '../../fault-profile.ts';
import type { Scenario } from '../../scenario.ts';
import type { World } from '../../world.ts';
import { deployment, type Part, ServiceWorld, Tenants } from './service-world.ts';
import { noDatabaseFaults } from './sim-database.ts';

const namespaces = ['blue', 'green'];
const names = ['shop', 'page', 'mail'];
const stormMs = 120_000;

/**
 * Tenants create, change, delete and create again; both processes die and come back, the database and the API server fail, lose answers
 * and stand still. When the storm is over, rows, Applications and resources agree, nothing is left over, and no sync was begun twice:
 * with self-healing, and without.
 */
export const serviceStorm: Scenario = {
  name: 'service-storm',
  async run(world) {
    const often = world.pick([0, 0.05, 0.2]);
    const service = await ServiceWorld.open(world, {
      settings: { selfHealing: world.seed % 2 === 1, healMs: 30_000 },
      faults: world.chance(0.5)
        ? drawFaults((items) => world.pick(items))
        : { ...noFaults, serverError: 0.2, answerLost: 0.05 },
      databaseFaults: {
        requestLost: often,
        answerLost: world.pick([0, 0.05, 0.1]),
        noticeLost: world.pick([0, 0.3, 1]),
      },
    });
    service.start('backend');
    service.start('agent');
    const happenings = world.plan(plan(world, service));
    for (const { at, label, run } of happenings) world.schedule(at, label, run);
    await world.pass(stormMs + 30_000);
    service.server.heal();
    service.database.faults = noDatabaseFaults;
    service.database.down = false;
    for (const part of ['backend', 'agent'] as const) if (!service.isUp(part)) service.start(part);
    const findings = await service.comesToRest(1_800_000);
    world.check(
      findings.length === 0,
      `after the storm: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
    );
    const twice = service.standIn.syncs.filter((id, index, all) => all.indexOf(id) !== index);
    world.check(twice.length === 0, `begun twice: ${twice.join(', ')}`);
    await world.pass(0);
  },
};

interface Happening {
  readonly at: number;
  readonly label: string;
  run(): void;
}

function plan(world: World, service: ServiceWorld): Happening[] {
  const tenants = new Tenants(service.server);
  const happenings: Happening[] = [];
  const add = (label: string, run: () => void): void =>
    void happenings.push({ at: world.between(0, stormMs), label, run });
  for (let i = 0; i < 16; i++) {
    const [namespace, name] = [world.pick(namespaces), world.pick(names)];
    const wish = deployment(namespace, name, {
      type: world.pick(['automated', 'manual']),
      path: world.pick(['a', 'b', 'c']),
      held: world.chance(0.5),
    });
    const what = world.pick(['put', 'put', 'remove', 'sync', 'unsync', 'again'] as const);
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
  for (let i = 0; i < world.between(0, 4); i++) {
    const part = world.pick(parts);
    const awayMs = world.between(0, 30_000);
    add(`${part} dies for ${awayMs} ms`, () => {
      service.crash(part);
      world.schedule(awayMs, `${part} is started again`, () => {
        if (!service.isUp(part)) service.start(part);
      });
    });
  }
  if (world.chance(0.4)) {
    const awayMs = world.between(1_000, 40_000);
    add(`the database is away for ${awayMs} ms`, () => {
      service.database.down = true;
      world.schedule(awayMs, 'the database is back', () => {
        service.database.down = false;
      });
    });
  }
  return happenings;
}
