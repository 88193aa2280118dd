import type { GoValue } from '@fairlead/render/go-template';
import { fail } from '../values.ts';
import type { Builtin, CallContext } from './builtin.ts';
import { listBuiltins } from './lists.ts';
import { mapBuiltins } from './maps.ts';
import { numberBuiltins } from './numbers.ts';
import { stringBuiltins } from './strings.ts';
import { timeBuiltins } from './times.ts';

const builtins: Readonly<Record<string, Builtin>> = {
  ...stringBuiltins,
  ...numberBuiltins,
  ...listBuiltins,
  ...mapBuiltins,
  ...timeBuiltins,
};

export function callBuiltin(name: string, args: readonly GoValue[], context: CallContext): GoValue {
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  return builtin ? builtin(args, context) : fail(`unknown function ${name}`);
}
