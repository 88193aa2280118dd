/** A sandbox that runs Lua scripts on objects. */
import { messageOf } from '@fairlead/apimachinery/primitives';
import { serveSandbox } from '@fairlead/kube/serve-sandbox';
import { LuaLimit, type LuaOptions, type LuaScript, LuaSyntaxError, loadLua } from './run-lua.ts';

export interface LuaProtocol {
  readonly task: {
    readonly source: string;
    readonly inputs: readonly LuaInput[];
    readonly limits: LuaLimits;
  };
  /** For the first inputs, at least one: the others are sent again. */
  readonly result: readonly LuaOutcome[];
}

export interface LuaInput {
  /** As JSON, which is cheaper to send. */
  readonly object: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export type LuaLimits = Pick<LuaOptions, 'timeMs' | 'steps' | 'memory'>;

/** The result as JSON, if there is one, or the error. */
export type LuaOutcome =
  | { readonly json: string | undefined; readonly error?: undefined }
  | { readonly error: string; readonly isLimit: boolean; readonly detail?: string };

/** After this time other projects are served. */
const turnMs = 200;
const maxScripts = 1_000;

const scripts = new Map<string, LuaScript>();

function scriptOf(source: string): LuaScript {
  const known = scripts.get(source);
  if (known) return known;
  if (scripts.size >= maxScripts) scripts.clear();
  const script = loadLua(source);
  scripts.set(source, script);
  return script;
}

const cpuMs = (): number => process.cpuUsage().user / 1000;

function outcomeOf(source: string, { object, parameters = {} }: LuaInput, limits: LuaLimits): LuaOutcome {
  try {
    const options = { ...limits, now: cpuMs, parameters };
    return { json: JSON.stringify(scriptOf(source).run(JSON.parse(object), options)) };
  } catch (error) {
    const detail = error instanceof LuaSyntaxError ? { detail: error.detail } : {};
    return { error: messageOf(error), isLimit: error instanceof LuaLimit, ...detail };
  }
}

serveSandbox<LuaProtocol>(({ source, inputs, limits }) => {
  const end = cpuMs() + turnMs;
  const outcomes: LuaOutcome[] = [];
  for (const input of inputs) {
    outcomes.push(outcomeOf(source, input, limits));
    if (cpuMs() > end) break;
  }
  return outcomes;
});
