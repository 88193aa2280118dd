import { toNumber } from '../health/lua/values.ts';
import { type ActionContext, ActionError } from './action.ts';

/** A parameter that is a number, as Lua reads one. */
export function numberParameter({ parameters }: ActionContext, name: string): number {
  const text = parameters[name];
  if (text === undefined) throw new ActionError(`${name} parameter is required`);
  const value = toNumber(text);
  if (value === undefined) throw new ActionError(`invalid number: ${text}`);
  return value;
}
