import type { Evaluator } from '../evaluate.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { JsonnetObject, type ObjectField, Thunk } from '../value.ts';
import { arrays } from './arrays.ts';
import { builtIn, type Definition, define } from './define.ts';
import { manifests } from './manifests.ts';
import { math } from './math.ts';
import { objects } from './objects.ts';
import { strings } from './strings.ts';

/** The standard library. All its fields are hidden, as they are in `std`. */
export function standardLibrary(evaluator: Evaluator, externals: ReadonlyMap<string, Thunk>): JsonnetObject {
  const extVar = define('x', (_, x) => {
    const found = externals.get(x.text);
    if (!found) throw new JsonnetError(`undefined external variable: ${x.text}`);
    return found.force();
  });
  const all: Readonly<Record<string, Definition>> = {
    ...arrays,
    ...objects,
    ...math,
    ...strings,
    ...manifests,
    extVar,
  };
  const fields = new Map<string, ObjectField>();
  const hide = (name: string, body: Thunk): void => {
    fields.set(name, { visibility: 'hidden', plus: false, body, scope: undefined, at: undefined });
  };
  for (const [name, definition] of Object.entries(all)) hide(name, new Thunk(() => builtIn(evaluator, definition)));
  hide('pi', Thunk.of(Math.PI));
  return new JsonnetObject([{ fields, locals: [], asserts: [], scope: undefined }]);
}
