import { seededRandom, sleep, systemClock } from '@fairlead/kube';
import { Churn, type MissingSlot } from './churn.ts';
import { clearEvents } from './clear-events.ts';
import { explain } from './explain.ts';
import { Faults, pause } from './faults.ts';
import type { Sample } from './measures.ts';
import { createSlots, type SlotCounts } from './slots.ts';
import { type Stage, type StageOptions, startStage } from './stage.ts';

export interface SoakOptions extends StageOptions {
  readonly seconds: number;
  readonly slots: SlotCounts;
  readonly changeEveryMs: number;
  readonly sampleEveryMs: number;
  readonly faultEveryMs: number;
  /** How often each process is restarted. */
  readonly restarts: number;
  /** How processes are ended for it. After SIGKILL the next process waits until the lease of the last one has expired. */
  readonly restartSignals: readonly NodeJS.Signals[];
  readonly seed: number;
  /** Receives the samples as they are taken. */
  onSamples?(samples: readonly Sample[]): void;
}

export interface SoakResult {
  readonly samples: readonly Sample[];
  /** The actions, and their number. */
  readonly done: ReadonlyMap<string, number>;
  /** Slots that were not deployed as committed in the end. */
  readonly missing: readonly string[];
}

/** Time for everything to be deployed after the last change, on a machine that others use too. */
const settleMs = 600_000;

/** Starts all parts, changes and disturbs them for as long as asked, and then checks that everything is deployed. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const stage = await startStage(options);
  const faults = new Faults(stage, seededRandom(options.seed + 1));
  try {
    await faults.start();
    const churn = new Churn(stage, createSlots(options.slots), seededRandom(options.seed));
    await churn.seed();
    const undeployed = await describeMissing(stage, await settled(churn));
    if (undeployed.length > 0) throw new Error(`not deployed before the run: ${undeployed.join('\n')}`);
    options.report('everything is deployed; the run begins');
    const samples: Sample[] = [];
    const over = new AbortController();
    const began = performance.now();
    const elapsed = (): number => (performance.now() - began) / 1000;
    const loops = [
      loop(options.changeEveryMs, over.signal, async () => {
        const problem = await churn.change();
        if (problem?.startsWith('commit')) options.report(problem);
      }),
      loop(options.faultEveryMs, over.signal, () => faults.cause(options.faultEveryMs * 0.7, over.signal)),
      loop(options.sampleEveryMs, over.signal, async () => {
        const taken = await sample(stage, elapsed());
        samples.push(...taken);
        options.onSamples?.(taken);
      }),
      // An event lives for an hour, longer than most runs: without this, they would look like a leak.
      loop(60_000, over.signal, () => clearEvents([stage.hub, stage.edge])),
      loop(1_000, over.signal, async () => {
        for (const line of await faults.restartExited()) options.report(line);
      }),
      restartAll(stage, faults, options, over.signal),
    ];
    const failed = Promise.all(loops);
    await Promise.race([sleep(systemClock, options.seconds * 1000), failed]);
    over.abort();
    await failed;
    stage.network?.join();
    const lastChange = performance.now();
    const end = await settled(churn, async () => {
      await faults.restartExited();
      await churn.complete();
    });
    const seconds = ((performance.now() - lastChange) / 1000).toFixed(0);
    options.report(
      `${isDeployed(end) ? 'everything' : 'not everything'} is deployed ${seconds} s after the last change`,
    );
    const missing = await describeMissing(stage, end);
    return { samples, done: new Map([...churn.counts, ...faults.counts]), missing };
  } finally {
    await faults.close();
    await stage.close();
  }
}

async function loop(everyMs: number, signal: AbortSignal, body: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (!signal.aborted) await body();
  }
}

async function sample({ processes }: Stage, at: number): Promise<Sample[]> {
  const found: Sample[] = [];
  // One after the other: a collection takes time on the processor.
  for (const each of processes) {
    const { life } = each;
    const reading = await each.read();
    if (reading && each.life === life) found.push({ at, process: each.spec.name, life, ...reading });
  }
  return found;
}

/** The share of the run in which processes are restarted. In the rest each process lives on, so that slow growth shows. */
const restartShare = 1 / 3;

/** Every process in turn, with pauses of the same length, in the first part of the run. */
async function restartAll(stage: Stage, faults: Faults, options: SoakOptions, signal: AbortSignal): Promise<void> {
  const names = Array.from({ length: options.restarts }, () => stage.processes.map(({ spec }) => spec.name)).flat();
  for (const name of names) {
    await pause((restartShare * options.seconds * 1000) / (names.length + 1), signal);
    if (signal.aborted) return;
    await faults.restart(name, options.restartSignals);
    options.report(`restarted ${name}`);
  }
}

interface Settled {
  readonly missing: readonly MissingSlot[];
  /** Why the last check could not be made. */
  readonly error?: unknown;
}

/** Waits until all slots are deployed, and returns the others. */
async function settled(churn: Churn, before: () => Promise<void> = async () => {}): Promise<Settled> {
  for (const end = performance.now() + settleMs; ; ) {
    const found = await before()
      .then(async (): Promise<Settled> => ({ missing: await churn.missing() }))
      .catch((error: unknown): Settled => ({ missing: [], error }));
    if (isDeployed(found) || performance.now() > end) return found;
    await sleep(systemClock, 1_000);
  }
}

const isDeployed = ({ missing, error }: Settled): boolean => missing.length === 0 && error === undefined;

/** A line for each slot that is not deployed, with what every hop says about it. */
async function describeMissing(stage: Stage, { missing, error }: Settled): Promise<string[]> {
  const lines = error === undefined ? [] : [`the last check failed: ${String(error)}`];
  for (const { slot, live } of missing) {
    const reasons = await explain(stage, slot).catch((failure: unknown) => [String(failure)]);
    lines.push([`${slot.name}: ${live ?? 'none'}, not ${slot.n}`, ...reasons].join('\n    '));
  }
  return lines;
}
