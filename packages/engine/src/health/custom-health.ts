import { isJsonObject, type Json, type KubeObject, messageOf, textAt } from '@fairlead/apimachinery';
import { globMatcher } from '@fairlead/render';
import { groupOf } from '../resource-id.ts';
import { type Health, health, healthOrder } from './health.ts';
import type { Lua } from './lua/lua.ts';
import { LuaLimit } from './lua/values.ts';

/** The custom health check of a kind: a Lua script that gets the object as `obj` and returns its status and message. */
export interface HealthScript {
  /** `group/Kind`, `Kind` alone in the core group, or a glob of these. */
  readonly kinds: string;
  readonly source: string;
  /** Accepted but without effect: a script has the same libraries in both cases, and none of them has side effects. */
  readonly openLibs: boolean;
  /** The location of the script, for messages: `resource.customizations.health.example.org_Thing`. */
  readonly name: string;
}

export interface CustomHealth {
  /** Whether there is a script for the kind. */
  hasScriptFor(group: string, kind: string): boolean;
  /**
   * Undefined when there is no script for the object's kind, null when the script returns no health for the object. A failing script gives
   * Unknown, with the message of Argo CD and our advice. `lane` is the project of the object.
   */
  assess(object: KubeObject, lane?: string): Promise<Health | null | undefined>;
}

interface Script {
  readonly name: string;
  readonly source: string;
  /** How often in a row it exceeded a limit, by lane: the objects of one project may be the cause. */
  readonly exceeded: Map<string, { readonly times: number; readonly pausedUntil: number }>;
  /** Results by version of the object: a sync reads the same version repeatedly. */
  readonly results: Map<string, Promise<Health | null>>;
}

/** A script that uses up its time for every object delays the other objects of its project. */
const maxExceeded = 3;
const pauseMs = 60_000;
const maxResults = 10_000;

/** The first script that matches a kind is used. */
export function createCustomHealth(
  scripts: readonly HealthScript[],
  lua: Lua,
  now: () => number = () => performance.now(),
): CustomHealth {
  const matchers = scripts.map(({ kinds, name, source }) => ({
    matches: globMatcher(kinds),
    script: { name, source, exceeded: new Map(), results: new Map() },
  }));
  const byKind = new Map<string, Script | undefined>();
  const find = (group: string, kind: string): Script | undefined => {
    if (scripts.length === 0) return undefined;
    const key = group === '' ? kind : `${group}/${kind}`;
    if (!byKind.has(key)) {
      const exact = scripts.findIndex(({ kinds }) => kinds === key);
      byKind.set(key, (matchers[exact] ?? matchers.find(({ matches }) => matches(key)))?.script);
    }
    return byKind.get(key);
  };
  return {
    hasScriptFor: (group, kind) => find(group, kind) !== undefined,
    async assess(object, lane = '') {
      const script = find(groupOf(textAt(object, 'apiVersion')), textAt(object, 'kind'));
      return script && cachedRun(script, lua, object, lane, now);
    },
  };
}

function cachedRun(
  script: Script,
  lua: Lua,
  object: KubeObject,
  lane: string,
  now: () => number,
): Promise<Health | null> {
  const { name, exceeded, results } = script;
  const { uid, resourceVersion } = object.metadata;
  const version = uid && resourceVersion ? `${uid} ${resourceVersion}` : undefined;
  const known = version === undefined ? undefined : results.get(version);
  if (known) return known;
  if (now() < (exceeded.get(lane)?.pausedUntil ?? 0)) {
    const message = `it exceeded its limit ${maxExceeded} times in a row, and pauses for a minute`;
    return Promise.resolve(failed(name, new Error(message)));
  }
  const result = run(script, lua, object, lane, now);
  if (version !== undefined) {
    if (results.size >= maxResults) results.clear();
    results.set(version, result);
  }
  return result;
}

async function run(
  script: Script,
  lua: Lua,
  object: KubeObject,
  lane: string,
  now: () => number,
): Promise<Health | null> {
  const { name, source, exceeded } = script;
  try {
    const result = resultOf(name, await lua.run(source, isJsonObject(object) ? object : {}, lane));
    exceeded.delete(lane);
    return result;
  } catch (error) {
    const times = (exceeded.get(lane)?.times ?? 0) + 1;
    if (!(error instanceof LuaLimit)) exceeded.delete(lane);
    else if (times < maxExceeded) exceeded.set(lane, { times, pausedUntil: 0 });
    else exceeded.set(lane, { times: 0, pausedUntil: now() + pauseMs });
    return failed(name, error);
  }
}

function failed(name: string, error: unknown): Health {
  const detail = textAt(error, 'detail');
  const scriptProblem = { advice: `change the script in ${name}${detail ? ` (${detail})` : ''}`, failed: true };
  return { ...health('Unknown', messageOf(error)), scriptProblem };
}

function resultOf(name: string, result: Json | undefined): Health | null {
  const isEmpty = isJsonObject(result) && Object.keys(result).length === 0;
  if (result === undefined || isEmpty || Array.isArray(result)) return null;
  if (!isJsonObject(result)) {
    return failed(name, new Error(`expect table output from Lua script, not ${typeof result}`));
  }
  const status = healthOrder.find((known) => known === result['status']);
  if (!status) {
    const advice = `${name} must return one of the statuses ${healthOrder.join(', ')}`;
    return { ...health('Unknown', 'Lua returned an invalid health status'), scriptProblem: { advice, failed: false } };
  }
  const { message } = result;
  return health(status, typeof message === 'string' ? message : message === undefined ? '' : String(message));
}
