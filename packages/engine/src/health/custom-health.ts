import { isJsonObject, type Json, type KubeObject, messageOf, textAt } from '@fairlead/apimachinery';
import { globMatcher } from '@fairlead/render';
import { groupOf } from '../resource-id.ts';
import { type Health, health, healthOrder } from './health.ts';
import { defaultLimits, LuaLimit, type LuaOptions, type LuaScript, loadLua } from './lua/run-lua.ts';

/** A user's word on the health of a kind: a script in Lua that is given the object as `obj` and returns its status and message. */
export interface HealthScript {
  /** `group/Kind`, `Kind` alone in the core group, or a glob over these. */
  readonly kinds: string;
  readonly source: string;
  /** Accepted and without effect: a script has the same libraries either way, none of which reaches outside. */
  readonly openLibs: boolean;
  /** Where the script is kept, for messages: `resource.customizations.health.example.org_Thing`. */
  readonly name: string;
}

export interface CustomHealth {
  /** Whether a script speaks for the kind. */
  hasScriptFor(group: string, kind: string): boolean;
  /**
   * Undefined when no script speaks for the object's kind, null when the one that does has nothing to say of the object: it has no health.
   * What goes wrong in one is Unknown, and names it.
   */
  assess(object: KubeObject): Health | null | undefined;
}

interface Loaded {
  readonly name: string;
  readonly script: LuaScript | undefined;
  readonly problem?: string;
  /** How often in a row it hit a limit. */
  strikes: number;
  restsUntil: number;
}

/** Scripts run where everything else runs: one that eats its time at every object must not eat everybody's. */
const mostStrikes = 3;
const restMs = 60_000;

/** The first script that matches a kind speaks for it. Each is read once. */
export function createCustomHealth(scripts: readonly HealthScript[], options: LuaOptions = {}): CustomHealth {
  const matchers = scripts.map((script) => ({ matches: globMatcher(script.kinds), loaded: load(script) }));
  const byKind = new Map<string, Loaded | undefined>();
  const find = (group: string, kind: string): Loaded | undefined => {
    const key = group === '' ? kind : `${group}/${kind}`;
    if (!byKind.has(key)) {
      const exact = scripts.findIndex((script) => script.kinds === key);
      byKind.set(key, (matchers[exact] ?? matchers.find(({ matches }) => matches(key)))?.loaded);
    }
    return byKind.get(key);
  };
  return {
    hasScriptFor: (group, kind) => find(group, kind) !== undefined,
    assess(object) {
      const loaded = find(groupOf(textAt(object, 'apiVersion')), textAt(object, 'kind'));
      return loaded && run(loaded, object, options);
    },
  };
}

function load({ name, source }: HealthScript): Loaded {
  try {
    return { name, script: loadLua(source), strikes: 0, restsUntil: 0 };
  } catch (error) {
    return { name, script: undefined, problem: messageOf(error), strikes: 0, restsUntil: 0 };
  }
}

function run(loaded: Loaded, object: KubeObject, options: LuaOptions): Health | null {
  const { name, script, problem } = loaded;
  if (!script) return health('Unknown', `${name}: ${problem}`);
  const { now = defaultLimits.now } = options;
  if (now() < loaded.restsUntil) {
    return health('Unknown', `${name}: it hit its limit ${mostStrikes} times in a row, and rests for a minute`);
  }
  try {
    const result = resultOf(name, script.run(isJsonObject(object) ? object : {}, options));
    loaded.strikes = 0;
    return result;
  } catch (error) {
    loaded.strikes = error instanceof LuaLimit ? loaded.strikes + 1 : 0;
    if (loaded.strikes >= mostStrikes) {
      loaded.strikes = 0;
      loaded.restsUntil = now() + restMs;
    }
    return health('Unknown', `${name}: ${messageOf(error)}`);
  }
}

function resultOf(name: string, result: Json | undefined): Health | null {
  if (result === undefined || (isJsonObject(result) && Object.keys(result).length === 0)) return null;
  if (!isJsonObject(result)) {
    return health('Unknown', `${name}: it returned no table: return one with status and message`);
  }
  const status = healthOrder.find((known) => known === result['status']);
  if (!status) {
    return health('Unknown', `${name}: the script must return one of the statuses ${healthOrder.join(', ')}`);
  }
  const { message } = result;
  return health(status, typeof message === 'string' ? message : message === undefined ? '' : String(message));
}
