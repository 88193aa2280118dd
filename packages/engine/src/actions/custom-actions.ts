import { isJsonObject, type Json, listAt, textAt, type Unstructured } from '@fairlead/apimachinery';
import type { Lua } from '../health/lua/lua.ts';
import { type ActionContext, ActionError, type ImpactedObject, type ResourceAction } from './action.ts';
import { impactOf } from './impact.ts';

/** Actions of a kind that an installation defines in Lua (`resource.customizations.actions.GROUP_KIND`). */
export interface CustomActions {
  /** A script that returns the actions of an object, by name. */
  readonly discovery: string;
  /** Scripts by the name of the action. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Whether the built-in actions of the kind are offered too. */
  readonly mergeBuiltin: boolean;
}

/** The decoded value of the setting. Throws an ActionError if it has another shape. */
export function readCustomActions(value: Json): CustomActions {
  if (!isJsonObject(value)) throw new ActionError('must be a map with discovery.lua and definitions');
  const definitions = listAt(value, 'definitions');
  const isDefinition = (item: Json): boolean =>
    isJsonObject(item) && typeof item['name'] === 'string' && typeof item['action.lua'] === 'string';
  if (!definitions.every(isDefinition)) throw new ActionError('definitions must be a list with name and action.lua');
  return {
    discovery: textAt(value, 'discovery.lua'),
    definitions: new Map(definitions.map((item) => [textAt(item, 'name'), textAt(item, 'action.lua')])),
    mergeBuiltin: value['mergeBuiltinActions'] === true,
  };
}

/** The actions that a discovery script offers for an object. */
export async function discoverCustom(
  lua: Lua,
  script: string,
  object: Unstructured,
  lane: string,
): Promise<ResourceAction[]> {
  const result = await lua.run(script, object, lane);
  // An empty table is a list for Lua.
  if (Array.isArray(result) && result.length === 0) return [];
  if (!isJsonObject(result)) throw notATable(result);
  return Object.entries(result).map(([name, value]) => actionOf(name, value));
}

/** Runs the script of an action. */
export async function runCustom(
  lua: Lua,
  script: string,
  object: Unstructured,
  { parameters }: ActionContext,
  lane: string,
): Promise<ImpactedObject[]> {
  const result = await lua.run(script, object, lane, parameters);
  if (result === null || typeof result !== 'object') throw notATable(result);
  return impactOf(result, object);
}

const notATable = (result: Json | undefined): ActionError =>
  new ActionError(
    `expect table output from Lua script, not ${Array.isArray(result) ? 'a list' : result === undefined ? 'nil' : typeof result}`,
  );

function actionOf(key: string, value: Json): ResourceAction {
  if (Array.isArray(value) && value.length === 0) return { name: key };
  if (!isJsonObject(value)) throw new ActionError(`action ${key} must be a table`);
  const text = (field: string): string => {
    const found = value[field] ?? '';
    if (typeof found === 'string') return found;
    throw new ActionError(`${field} of action ${key} must be a string`);
  };
  const [name, iconClass, displayName] = [text('name') || key, text('iconClass'), text('displayName')];
  const params = listAt(value, 'params').map((item) => ({
    name: textAt(item, 'name'),
    ...(textAt(item, 'default') === '' ? {} : { default: textAt(item, 'default') }),
  }));
  return {
    name,
    ...(params.length > 0 ? { params } : {}),
    ...(value['disabled'] === true ? { disabled: true } : {}),
    ...(iconClass === '' ? {} : { iconClass }),
    ...(displayName === '' ? {} : { displayName }),
  };
}
