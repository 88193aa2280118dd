import { type Library, numberAt } from './library-base.ts';
import { LuaError } from './values.ts';

/** Without random functions: the health of an object is a function of the object. */
export function mathLibrary(): Library {
  const one =
    (name: string, calculate: (value: number) => number): Library[string] =>
    (...args) => [calculate(numberAt(args, 1, name))];
  const all = (args: readonly unknown[], name: string, choose: (...values: number[]) => number): [number] => {
    if (args.length === 0) throw new LuaError('wrong number of arguments');
    return [choose(...args.map((_, i) => numberAt(args as never, i + 1, name)))];
  };
  return {
    abs: one('abs', Math.abs),
    ceil: one('ceil', Math.ceil),
    floor: one('floor', Math.floor),
    sqrt: one('sqrt', Math.sqrt),
    exp: one('exp', Math.exp),
    log: one('log', Math.log),
    log10: one('log10', Math.log10),
    fmod: (...args) => [numberAt(args, 1, 'fmod') % numberAt(args, 2, 'fmod')],
    mod: (...args) => [numberAt(args, 1, 'mod') % numberAt(args, 2, 'mod')],
    modf: (...args) => {
      const value = numberAt(args, 1, 'modf');
      return [Math.trunc(value), value - Math.trunc(value)];
    },
    pow: (...args) => [numberAt(args, 1, 'pow') ** numberAt(args, 2, 'pow')],
    max: (...args) => all(args, 'max', Math.max),
    min: (...args) => all(args, 'min', Math.min),
  };
}
