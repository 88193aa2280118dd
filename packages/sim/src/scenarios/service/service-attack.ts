import {
  type Application,
  applicationKind,
  type GitOpsDeployment,
  gitopsDeploymentKind,
  gitopsDeploymentSyncRunKind,
} from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { Scenario } from '../../scenario.ts';
import { resourceOf } from '../../sim-store.ts';
import type { Simulation } from '../../simulation.ts';
import { deployment, type Mistake, ServiceSimulation, syncRun, Tenants } from './service-simulation.ts';

const victim = 'blue';
const attacker = 'green';
const attackMs = 40_000;
/** The maximum duration of a change of the victim, without faults. Without an attack it is below a second. */
const deliveryMs = 10_000;

/**
 * One tenant attacks: it creates, changes and deletes very many deployments and sync runs, with invalid specs and with names that are those
 * of the other tenant's objects. The changes of the other tenant are delivered in time, no Application of the other is changed, and in the
 * end everything agrees.
 */
export const serviceAttack: Scenario = serviceAttackWith(undefined);

/** With a deliberate bug. */
export function serviceAttackWith(mistake: Mistake | undefined): Scenario {
  return {
    name: 'service-attack',
    async run(sim) {
      const service = await ServiceSimulation.open(sim, {
        settings: { selfHealing: sim.seed % 2 === 1, healMs: 10_000 },
        ...(mistake ? { mistake } : {}),
      });
      const tenants = new Tenants(service.server);
      watchVictim(sim, service, tenants);
      service.start('backend');
      service.start('agent');
      tenants.put(deployment(victim, 'shop', { path: 'path-0' }));
      await delivered(sim, service, tenants, 'path-0');
      const planned = sim.plan(attacks(sim, service, tenants));
      for (const { at, label, run } of planned) sim.schedule(at, label, run);
      for (let change = 1; change <= 4; change++) {
        await sim.pass(attackMs / 5);
        tenants.put(deployment(victim, 'shop', { path: `path-${change}` }));
        await delivered(sim, service, tenants, `path-${change}`);
      }
      await sim.pass(attackMs);
      const findings = await service.comesToRest(1_800_000);
      sim.check(
        findings.length === 0,
        `after the attack: ${findings.map(({ about, problem }) => `${about} ${problem}`).join('; ')}`,
      );
      await sim.pass(0);
    },
  };
}

const applicationOf = (service: ServiceSimulation, uid: string | undefined): Application | undefined =>
  service.server.store.find(applicationKind.type, { namespace: 'argocd', name: `gitopsdepl-${uid}` }) as
    | Application
    | undefined;

async function delivered(sim: Simulation, service: ServiceSimulation, tenants: Tenants, path: string): Promise<void> {
  const isThere = (): boolean =>
    applicationOf(service, tenants.find(victim, 'shop')?.metadata.uid)?.spec.source?.path === path;
  sim.check(
    await sim.reach(isThere, deliveryMs),
    `${path} of ${victim} is not delivered within ${deliveryMs / 1000} s`,
  );
}

/** Objects of the victim are never changed or deleted on behalf of the attacker. */
function watchVictim(sim: Simulation, service: ServiceSimulation, tenants: Tenants): void {
  service.server.store.onEvent(({ type, resource, object }) => {
    const uid = tenants.find(victim, 'shop')?.metadata.uid;
    if (resource !== resourceOf(applicationKind.type) || object.metadata.name !== `gitopsdepl-${uid}`) return;
    const { spec } = object as Application;
    sim.check(type !== 'DELETED', `the Application of ${victim} is deleted`);
    sim.check(
      spec.source?.repoURL === `https://git.example.com/${victim}.git` && spec.destination.namespace === victim,
      `the Application of ${victim} is that of another: ${JSON.stringify(spec)}`,
    );
  });
}

interface Planned {
  readonly at: number;
  readonly label: string;
  readonly run: () => void;
}

function attacks(sim: Simulation, service: ServiceSimulation, tenants: Tenants): Planned[] {
  const { store } = service.server;
  const victimUid = (): string => tenants.find(victim, 'shop')?.metadata.uid ?? 'none';
  const names = Array.from({ length: sim.pick([5, 40]) }, (_, i) => `d-${i}`);
  const put = (object: GitOpsDeployment): void => {
    const { namespace = '', name } = object.metadata;
    const known = tenants.find(namespace, name);
    if (!known) store.create(gitopsDeploymentKind.type, object);
    else if (!known.metadata.deletionTimestamp)
      store.replace(gitopsDeploymentKind.type, { ...known, spec: object.spec } as KubeObject);
  };
  const acts: readonly (() => void)[] = [
    () => put(deployment(attacker, sim.pick(names), { path: `p-${sim.between(0, 9)}` })),
    () => put(deployment(attacker, sim.pick(names), { held: false, type: sim.pick(['manual', 'automated', 'wrong']) })),
    () => put(hostile(sim, sim.pick(names))),
    () => put(deployment(attacker, sim.pick(['shop', `gitopsdepl-${victimUid()}`, victimUid()]))),
    () => tenants.remove(attacker, sim.pick(names)),
    () => {
      const run = syncRun(attacker, `run-${sim.between(0, 20)}`, sim.pick([...names, 'shop', `../${victim}/shop`]));
      if (!store.find(gitopsDeploymentSyncRunKind.type, run.metadata))
        store.create(gitopsDeploymentSyncRunKind.type, run);
    },
    () => tenants.unsync(attacker, `run-${sim.between(0, 20)}`),
  ];
  return Array.from({ length: sim.pick([50, 200]) }, (_, i) => ({
    at: sim.between(0, attackMs),
    label: `attack ${i}`,
    run: () => sim.pick(acts)(),
  }));
}

function hostile(sim: Simulation, name: string): GitOpsDeployment {
  const sound = deployment(attacker, name);
  const spec = sim.pick([
    { source: { repoURL: 'http://host/%zz', path: 'x' }, type: 'automated' },
    { source: { repoURL: `https://git.example.com/${victim}.git`, path: '../..' }, type: 'automated' },
    { source: { repoURL: 'x'.repeat(20_000), path: 'x' }, type: 'automated' },
    { source: { repoURL: '', path: '' }, type: '' },
    { ...sound.spec, destination: { environment: 'none', namespace: victim } },
    { ...sound.spec, destination: { namespace: 'argocd' } },
    { ...sound.spec, syncPolicy: { syncOptions: ['Replace=true', 'Wrong'] } },
  ]);
  return { ...sound, spec } as GitOpsDeployment;
}
