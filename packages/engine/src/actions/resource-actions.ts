import { isKubeObject, textAt, type Unstructured } from '@fairlead/apimachinery';
import type { Lua } from '../health/lua/lua.ts';
import { groupOf } from '../resource-id.ts';
import { type ActionContext, ActionError, type ImpactedObject, type ResourceAction, UnknownAction } from './action.ts';
import { builtinActions } from './builtin-actions.ts';
import { type CustomActions, discoverCustom, runCustom } from './custom-actions.ts';

export interface ResourceActionsOptions {
  readonly lua: Lua;
  /** By `group/Kind`, or `Kind` in the core group. */
  readonly custom: ReadonlyMap<string, CustomActions>;
  /** The project that scripts run for. */
  readonly lane?: string;
}

/**
 * The actions that an object offers: those that the installation defines for its kind, and the built-in ones if there are none or both are
 * requested. Of two with the same name, that of the installation counts.
 */
export async function discoverActions(
  object: Unstructured,
  { lua, custom, lane = '' }: ResourceActionsOptions,
): Promise<ResourceAction[]> {
  const own = custom.get(kindKey(object));
  const defined = own && own.discovery !== '' ? await discoverCustom(lua, own.discovery, object, lane) : [];
  const builtin = own && !own.mergeBuiltin ? [] : (builtinActions.get(kindKey(object))?.discover(object) ?? []);
  const names = new Set(defined.map(({ name }) => name));
  return [...defined, ...builtin.filter(({ name }) => !names.has(name)).map(shown)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** What an action does to the cluster. A script of the installation counts before a built-in action. Throws an ActionError. */
export async function runAction(
  object: Unstructured,
  name: string,
  context: ActionContext,
  { lua, custom, lane = '' }: ResourceActionsOptions,
): Promise<ImpactedObject[]> {
  const script = custom.get(kindKey(object))?.definitions.get(name);
  if (script !== undefined) return runCustom(lua, script, object, context, lane);
  const { changes = {}, creations = {} } = builtinActions.get(kindKey(object)) ?? {};
  if (Object.hasOwn(changes, name)) return [impact('patch', changes[name]?.(object, context))];
  if (Object.hasOwn(creations, name)) return [impact('create', creations[name]?.(object, context))];
  throw new UnknownAction(`${kindKey(object)} has no action ${name}`);
}

function impact(operation: ImpactedObject['operation'], object: unknown): ImpactedObject {
  if (!isKubeObject(object)) throw new ActionError('the action returned no object');
  return { operation, object };
}

const kindKey = (object: Unstructured): string => {
  const group = groupOf(textAt(object, 'apiVersion'));
  return group === '' ? object.kind : `${group}/${object.kind}`;
};

const shown = ({ disabled = false, ...action }: ResourceAction): ResourceAction =>
  disabled ? { ...action, disabled } : action;
