import type { Json } from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube/limits';
import { SandboxLimitExceeded, SandboxPool } from '@fairlead/kube/sandbox';
import { Batches, longScriptMs, maxExceeded } from '../../sandbox/batches.ts';
import type { LuaInput, LuaLimits, LuaOutcome, LuaProtocol } from './lua-worker.ts';
import { LuaLimit } from './values.ts';

/** Runs Lua scripts on objects. */
export interface Lua {
  /**
   * The result of a script that has the object as `obj`. Rejects with the error of the script, or a LuaLimit. `lane` is the project that the
   * object belongs to, `parameters` are those of a resource action.
   */
  run(
    source: string,
    object: Json,
    lane?: string,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Json | undefined>;
  /** How many sandboxes run scripts now. */
  readonly active: number;
  close(): Promise<void>;
}

/** A script that cannot be read, or that failed. */
export class LuaFailed extends Error {
  /** A detail of the problem, if the message does not contain it. */
  readonly detail: string | undefined;

  constructor(message: string, detail?: string) {
    super(message);
    this.detail = detail;
  }
}

interface Waiting {
  readonly input: LuaInput;
  readonly resolve: (result: Json | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Lua in sandboxes, started on first use. */
export function createLua(scriptLimits: LuaLimits = {}): Lua {
  const { timeMs = limits.luaCpuMs } = scriptLimits;
  const sandboxes = new SandboxPool<LuaProtocol>({
    entry: new URL('./lua-worker.ts', import.meta.url),
    name: 'Lua',
    // The interpreter stops a script in time. This is for work that it does not count.
    timeMs: 2 * timeMs + 1_000,
    memoryMb: limits.sandboxMemoryBytes / 1024 ** 2,
    longMs: longScriptMs,
    workers: 1,
    reserve: 2,
  });
  const batches = new Batches<Waiting>((lane, source, batch) => void answer(lane, source, batch));

  async function answer(lane: string, source: string, batch: readonly Waiting[]): Promise<void> {
    let exceeded = 0;
    let size = batch.length;
    for (let i = 0; i < batch.length; ) {
      const some = batch.slice(i, i + size);
      if (exceeded >= maxExceeded) return rejectAll(batch.slice(i), new LuaLimit(message(timeMs)));
      try {
        const task = { source, inputs: some.map(({ input }) => input), limits: { ...scriptLimits, timeMs } };
        const outcomes = await sandboxes.run(lane, { task });
        for (const [at, one] of some.slice(0, outcomes.length).entries()) settle(one, outcomes[at]);
        i += outcomes.length;
        const last = outcomes.at(-1);
        exceeded = last?.error !== undefined && last.isLimit ? exceeded + 1 : 0;
      } catch (error) {
        if (!(error instanceof SandboxLimitExceeded)) return rejectAll(batch.slice(i), error);
        // One object that takes too long must not fail the others of its batch.
        if (size === 1) {
          some[0]?.reject(new LuaLimit(message(timeMs)));
          i += 1;
          exceeded += 1;
        }
        size = 1;
      }
    }
  }

  return {
    run: (source, object, lane = '', parameters) =>
      new Promise((resolve, reject) => {
        const input = { object: JSON.stringify(object), ...(parameters ? { parameters } : {}) };
        batches.add(lane, source, { input, resolve, reject });
      }),
    get active() {
      return sandboxes.active;
    },
    close: () => sandboxes.close(),
  };
}

const message = (timeMs: number): string => `it did not end within ${timeMs / 1000} s`;

function rejectAll(items: readonly Waiting[], error: unknown): void {
  for (const { reject } of items) reject(error instanceof Error ? error : new Error(String(error)));
}

function settle({ resolve, reject }: Waiting, outcome: LuaOutcome | undefined): void {
  if (!outcome) reject(new Error('the script has no result'));
  else if (outcome.error === undefined) resolve(outcome.json === undefined ? undefined : JSON.parse(outcome.json));
  else reject(outcome.isLimit ? new LuaLimit(outcome.error) : new LuaFailed(outcome.error, outcome.detail));
}
