import { LeaderElector, ShardMember, sleep } from '@fairlead/kube';
import { drawFaults } from '../fault-profile.ts';
import type { Scenario } from '../scenario.ts';
import { SimApiServer } from '../sim-api-server.ts';
import type { SimProcess } from '../sim-process.ts';
import type { Simulation } from '../simulation.ts';

const lease = { namespace: 'argocd', name: 'fairlead-app-controller' };
const keys = Array.from({ length: 12 }, (_, index) => `argocd/app-${index}`);
const takeoverMs = 15_000;

interface Replica {
  readonly process: SimProcess;
  readonly member: ShardMember;
  /** Keys that it works on; also those whose work was aborted and has not ended. */
  readonly working: Map<string, number>;
  readonly stop: AbortController;
}

export type MakeShard = (...args: ConstructorParameters<typeof ShardMember>) => ShardMember;

/**
 * Replicas that share Applications, crash, hang, lose their connection, leave and join; some schedules have a process that works alone on the same Lease.
 * No Application is worked on by two at once. Without faults, each is worked on within the takeover time, also after a replica was killed.
 */
export const shards = (makeShard: MakeShard = (...args) => new ShardMember(...args)): Scenario => ({
  name: 'shards',
  async run(sim) {
    const group = new Group(sim, makeShard);
    const { server } = group;
    for (let i = sim.between(1, 3); i > 0; i--) group.start();
    const alone = sim.chance(0.25) ? group.startAlone() : undefined;
    for (let i = sim.between(0, 10); i > 0; i--) {
      await sim.pass(sim.between(200, 20_000));
      const { process, stop } = sim.pick(group.replicas);
      const fault = sim.pick(['pause', 'pause', 'crash', 'stop', 'pin'] as const);
      if (fault === 'pause') process.pause(sim.between(1_000, 30_000));
      if (fault === 'crash') process.crash();
      if (fault === 'stop') stop.abort();
      if (fault === 'pin') group.pin(sim.between(0, 3));
      if (sim.chance(0.6) || group.replicas.length === 0) group.start();
    }
    alone?.abort();
    server.heal();
    if (group.replicas.length < 2) group.start();
    // The last pause ends, requests that were lost time out, and expired Leases are removed.
    await sim.pass(30_000);
    sim.check(await group.isComplete(60_000), `nobody works on ${group.unowned()} after the faults`);
    await sim.pass(sim.between(0, 5_000));
    sim.pick(group.replicas).process.crash();
    if (group.replicas.length === 0) group.start();
    sim.check(await group.isComplete(takeoverMs), `nobody works on ${group.unowned()} after a crash`);
    await sim.pass(sim.between(0, 5_000));
    group.start();
    await sim.pass(1_000);
    sim.check(await group.isComplete(takeoverMs), `nobody works on ${group.unowned()} after a replica joined`);
    sim.pick(group.replicas).stop.abort();
    sim.check(await group.isComplete(takeoverMs), `nobody works on ${group.unowned()} after a replica left`);
    await sim.pass(0);
  },
});

class Group {
  readonly server: SimApiServer;
  readonly #sim: Simulation;
  readonly #makeShard: MakeShard;
  readonly #replicas: Replica[] = [];
  #pins: Readonly<Record<string, number>> = {};
  #alone: LeaderElector | undefined;

  constructor(sim: Simulation, makeShard: MakeShard) {
    this.#sim = sim;
    this.#makeShard = makeShard;
    this.server = new SimApiServer(
      sim,
      drawFaults((items) => sim.pick(items)),
    );
  }

  get replicas(): readonly Replica[] {
    return this.#replicas.filter(({ process, stop }) => !process.crashed && !stop.signal.aborted);
  }

  /** The Applications of one cluster get a static shard. */
  pin(shard: number): void {
    this.#pins = { cluster: shard };
  }

  start(): void {
    const process = this.#sim.process(`replica-${this.#replicas.length + 1}`);
    const { clock, random, name } = process;
    const groupOf = (key: string): string | undefined => (key.endsWith('1') ? 'cluster' : undefined);
    const options = { lease, identity: name, clock, random, groupOf, pins: () => this.#pins };
    const member = this.#makeShard(this.server.client(process), options);
    const replica: Replica = { process, member, working: new Map(), stop: new AbortController() };
    this.#replicas.push(replica);
    for (const key of keys) void this.#work(replica, key);
    void member.run(replica.stop.signal);
  }

  /** A process without shards, such as `fairlead up`. */
  startAlone(): AbortController {
    const process = this.#sim.process('alone');
    const { clock, random } = process;
    const stop = new AbortController();
    const elector = new LeaderElector(this.server.client(process), { lease, identity: 'alone', clock, random });
    this.#alone = elector;
    const lead = async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted && elector.isLeader) {
        const other = this.#replicas.find(({ process: { crashed }, member }) => !crashed && member.isMember);
        this.#sim.check(!other, `${other?.process.name} is a shard while another process works alone`);
        await sleep(clock, this.#sim.between(50, 700), signal).catch(() => {});
      }
    };
    const again = async (): Promise<void> => {
      while (!stop.signal.aborted) await elector.run(stop.signal, lead);
    };
    void again();
    return stop;
  }

  isComplete(limitMs: number): Promise<boolean> {
    return this.#sim.reach(() => this.unowned().length === 0, limitMs);
  }

  unowned(): string[] {
    return keys.filter((key) => !this.replicas.some(({ member }) => member.owns(key)));
  }

  /** Works on the key again and again, while the replica owns it. Work that is aborted takes a moment to end. */
  async #work(replica: Replica, key: string): Promise<void> {
    const { process, member, working, stop } = replica;
    const never = new AbortController().signal;
    while (!process.crashed) {
      await member.hold(key, stop.signal, async (signal) => {
        working.set(key, (working.get(key) ?? 0) + 1);
        for (let steps = this.#sim.between(1, 4); steps > 0 && !signal.aborted && member.owns(key); steps--) {
          this.#act(replica, key);
          await sleep(process.clock, this.#sim.between(50, 900), signal).catch(() => {});
        }
        await sleep(process.clock, this.#sim.between(0, 300), never);
        working.delete(key);
      });
      await sleep(process.clock, this.#sim.between(100, 2_000), never);
    }
  }

  #act({ process, member }: Replica, key: string): void {
    this.#sim.trace(`${process.name} works on ${key}`);
    for (const other of this.#replicas) {
      if (other.process === process || other.process.crashed || !other.member.isMember) continue;
      const both = other.member.owns(key) || other.working.has(key);
      this.#sim.check(!both, `${process.name} and ${other.process.name} work on ${key}`);
    }
    this.#sim.check(!this.#alone?.isLeader, `${process.name} works as a shard while another process works alone`);
    this.#sim.check(member.map?.members.includes(process.name) ?? false, `${process.name} works and is not a member`);
  }
}
