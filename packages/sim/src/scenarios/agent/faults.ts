import { type Message, sourceUidOf } from '@fairlead/agent';
import { apiError } from '@fairlead/apimachinery';
import { type FaultProfile, noFaults } from '../../fault-profile.ts';
import { SimApiServer } from '../../sim-api-server.ts';
import type { SimFile } from '../../sim-file.ts';
import type { NetworkFaults } from '../../sim-network.ts';
import type { Stage } from './acts.ts';

/** The faults. Some are the continuous behaviour of servers, others happen at one time. */
export interface Fault {
  readonly hub?: Partial<FaultProfile>;
  readonly cluster?: Partial<FaultProfile>;
  readonly happen?: (stage: Stage) => void;
  /** The capacity of the outboxes. */
  readonly outbox?: number;
}

const network = (faults: Partial<NetworkFaults>): Fault => ({
  happen: ({ fleet }) => {
    fleet.network.faults = { ...fleet.network.faults, ...faults };
  },
});

const forAWhile = (stage: Stage, ms: number, label: string, end: () => void): void =>
  void stage.sim.schedule(ms, label, end);

/** Stopped for a while, at a step drawn from the seed. */
const crash = (who: 'principal' | 'agent') => (stage: Stage) => {
  const { sim, fleet, agent } = stage;
  const process = who === 'principal' ? fleet.principal?.process : fleet.agents.get(agent)?.process;
  if (!process || process.crashed) return;
  process.crashAtStep(sim.between(1, 25), () => {
    fleet.network.cutOf(process);
    forAWhile(stage, sim.between(10, 15_000), `${process.name} is started again`, () => {
      if (who === 'principal') fleet.startPrincipal();
      else fleet.restartAgent(agent);
    });
  });
};

const restart = (who: 'principal' | 'agent') => (stage: Stage) => {
  const { sim, fleet, agent } = stage;
  if (who === 'principal') fleet.crashPrincipal();
  else fleet.crashAgent(agent);
  forAWhile(stage, sim.between(1_000, 20_000), `${who} is started again`, () => {
    if (who === 'principal') fleet.startPrincipal();
    else fleet.restartAgent(agent);
  });
};

/** The network is cut for a while, from a certain event on. */
const partition = (stage: Stage): void => {
  stage.fleet.network.block('dialler');
  stage.fleet.network.block('listener');
  forAWhile(stage, stage.sim.between(500, 40_000), 'the partition ends', () => stage.fleet.network.unblock());
};

const sourceRole = ({ mode }: Stage) => (mode === 'managed' ? 'principal' : 'agent');

/** The next message of the kind is the last one before the network is cut. */
const partitionAt = (stage: Stage, isIt: (from: 'principal' | 'agent', message: Message) => boolean): void => {
  const { beforeSend } = stage.fleet;
  const receive = (from: 'principal' | 'agent', message: Message): void => {
    if (!isIt(from, message)) return;
    beforeSend.delete(receive);
    partition(stage);
  };
  beforeSend.add(receive);
};

const refusal = (code: 403 | 422): Fault => ({
  happen: (stage) => {
    const { sim, fleet, agent, mode } = stage;
    const server = mode === 'managed' ? fleet.cluster(agent) : fleet.hub;
    const victim = sim.pick(['a', 'b', 'c']);
    const reason = code === 403 ? 'Forbidden' : 'Invalid';
    const lift = server.refuse((_, object) =>
      object.metadata.name === victim ? apiError(code, reason, `${victim} is not desired`) : undefined,
    );
    forAWhile(stage, sim.between(1_000, 40_000), `${victim} is taken again`, lift);
  },
});

/** Both are stopped for a while, and have other files when they restart. */
const withOtherFiles = (stage: Stage, other: (file: SimFile) => string | undefined): void => {
  restart('principal')(stage);
  restart('agent')(stage);
  for (const file of Object.values(stage.fleet.files)) file.text = other(file);
};

export const faults: Readonly<Record<string, Fault>> = {
  none: {},
  drop: network({ drop: 0.3 }),
  duplicate: network({ duplicate: 0.4 }),
  reorder: network({ reorder: 0.4 }),
  'drop, duplicate and reorder': network({ drop: 0.2, duplicate: 0.2, reorder: 0.3 }),
  'cut as messages travel': network({ cut: 0.1 }),
  'cut once': { happen: ({ fleet }) => fleet.network.cutAll() },
  partition: { happen: partition },
  'agent is not heard': {
    happen: (stage) => {
      stage.fleet.network.block('dialler');
      forAWhile(stage, stage.sim.between(500, 60_000), 'it is heard', () => stage.fleet.network.unblock());
    },
  },
  'principal is not heard': {
    happen: (stage) => {
      stage.fleet.network.block('listener');
      forAWhile(stage, stage.sim.between(500, 60_000), 'it is heard', () => stage.fleet.network.unblock());
    },
  },
  'principal crashes': { happen: crash('principal') },
  'agent crashes': { happen: crash('agent') },
  'both crash': {
    happen: (stage) => {
      crash('principal')(stage);
      crash('agent')(stage);
    },
  },
  'principal is down': { happen: restart('principal') },
  'agent is down': { happen: restart('agent') },
  'both are down': {
    happen: (stage) => {
      restart('principal')(stage);
      restart('agent')(stage);
    },
  },
  'watch gap at the hub': { hub: { watchCut: 0.5, watchEnd: 0.3, watchError: 0.3, compaction: 0.5 } },
  'watch gap at the agent': { cluster: { watchCut: 0.5, watchEnd: 0.3, watchError: 0.3, compaction: 0.5 } },
  'silent watch at the hub': { hub: { watchStall: 0.5 } },
  'silent watch at the agent': { cluster: { watchStall: 0.5 } },
  'stale lists at the hub': { hub: { staleList: 0.5, watchCut: 0.5, expired: 0.5 }, happen: restart('principal') },
  'stale lists at the agent': { cluster: { staleList: 0.5, watchCut: 0.5, expired: 0.5 }, happen: restart('agent') },
  'conflicts at the hub': { hub: { conflict: 0.4 } },
  'conflicts at the agent': { cluster: { conflict: 0.4 } },
  'errors at the hub': { hub: { serverError: 0.2, throttled: 0.2 } },
  'errors at the agent': { cluster: { serverError: 0.2, throttled: 0.2 } },
  'timeouts at the hub': { hub: { answerLost: 0.2, requestLost: 0.1 } },
  'timeouts at the agent': { cluster: { answerLost: 0.2, requestLost: 0.1 } },
  'forbidden for a while': refusal(403),
  'invalid for a while': refusal(422),
  'slow consumer': {
    happen: ({ sim, fleet, agent }) => fleet.agent(agent).process.pause(sim.between(1_000, 30_000)),
  },
  'slow principal': {
    happen: ({ sim, fleet }) => fleet.runningPrincipal.process.pause(sim.between(1_000, 30_000)),
  },
  'clock of the principal jumps': {
    happen: ({ sim, fleet }) => fleet.runningPrincipal.process.jump(sim.pick([-1, 1]) * sim.between(60_000, 7_200_000)),
  },
  'clock of the agent jumps': {
    happen: ({ sim, fleet, agent }) =>
      fleet.agent(agent).process.jump(sim.pick([-1, 1]) * sim.between(60_000, 7_200_000)),
  },
  'token expires': {
    happen: (stage) => {
      const { fleet } = stage;
      // From now on streams live as long as their agents request new tokens.
      fleet.tokenMs = 6_000;
      for (let i = 0; i < 3; i++) forAWhile(stage, i * 5_000, 'all tokens expire', () => fleet.expireTokens());
    },
  },
  'an impostor of the name': {
    happen: ({ sim, fleet, agent }) => void fleet.startAgent(agent, 'another', new SimApiServer(sim, noFaults)),
  },
  'hub restored from a backup': {
    happen: (stage) => {
      const { sim, fleet } = stage;
      const backup = fleet.hub.store.backup();
      forAWhile(stage, sim.between(1_000, 20_000), 'the hub is lost', () => {
        for (const operation of stage.intentions.operations.values()) operation.excused = true;
        for (const uid of stage.intentions.deleted) stage.intentions.broughtBack.add(uid);
        fleet.hub.restore(backup);
      });
    },
  },
  delay: network({ delay: 4_000 }),
  'partition before a send': {
    happen: (stage) => partitionAt(stage, (from, { type }) => from === sourceRole(stage) && type === 'upsert'),
  },
  'partition after an apply': {
    happen: (stage) => {
      const { fleet, agent, mode } = stage;
      const { store } = mode === 'managed' ? fleet.cluster(agent) : fleet.hub;
      const stop = store.onEvent(({ object }) => {
        if (sourceUidOf(object) === undefined) return;
        stop();
        partition(stage);
      });
    },
  },
  'partition during an answer': {
    happen: (stage) => partitionAt(stage, (from, { type }) => from !== sourceRole(stage) && type === 'processed'),
  },
  'garbled messages': {
    happen: ({ fleet }) => {
      fleet.garble = 0.2;
    },
  },
  'a twin of the agent': {
    happen: (stage) => {
      const { sim, fleet, agent } = stage;
      const { process } = fleet.startAgent(agent, agent, fleet.cluster(agent), true);
      forAWhile(stage, sim.between(2_000, 30_000), 'the twin ends', () => {
        process.crash();
        fleet.network.cutOf(process);
      });
    },
  },
  'full outboxes': { outbox: 2 },
  'the files of the outboxes are lost': { happen: (stage) => withOtherFiles(stage, () => undefined) },
  'the files of the outboxes are old': {
    happen: (stage) => {
      const { files } = stage.fleet;
      const old = new Map(Object.values(files).map((file) => [file, file.text]));
      forAWhile(stage, stage.sim.between(1_000, 20_000), 'both end', () =>
        withOtherFiles(stage, (file) => old.get(file)),
      );
    },
  },
  'the files of the outboxes are damaged': {
    happen: (stage) =>
      withOtherFiles(stage, ({ text = '' }) => {
        const at = stage.sim.between(0, text.length);
        return `${text.slice(0, at)}\u0000{"tell":${text.slice(at + stage.sim.between(0, 40))}`;
      }),
  },
};

export const faultNames: readonly string[] = Object.keys(faults);
