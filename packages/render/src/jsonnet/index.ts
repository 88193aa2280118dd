import { must } from '@fairlead/apimachinery/primitives';
import { Budget, LimitError, type Limits } from '../go-template/limits.ts';
import { RenderError } from '../render-error.ts';
import type { Tree } from '../tree/tree.ts';
import { Evaluator } from './evaluate.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { Library } from './library.ts';
import { toPlain } from './manifest.ts';
import { standardLibrary } from './std/index.ts';
import { isFunction, JsonnetArray, JsonnetObject, Scope, Thunk, type Value } from './value.ts';

export interface JsonnetVariable {
  readonly name: string;
  readonly value: string;
  /** The value is Jsonnet code, not text. */
  readonly code?: boolean;
}

export interface JsonnetOptions {
  readonly extVars?: readonly JsonnetVariable[];
  /** Arguments for a file that is a function. */
  readonly tlas?: readonly JsonnetVariable[];
  /** Folders in which imports are searched, the last one first. */
  readonly libs?: readonly string[];
  readonly limits?: Limits;
}

/** Evaluates a Jsonnet file to plain JSON. Files are only read from the tree. */
export async function evaluateJsonnet(tree: Tree, file: string, options: JsonnetOptions = {}): Promise<unknown> {
  try {
    return await run(tree, file, options);
  } catch (error) {
    if (error instanceof LimitError)
      throw new RenderError('TooLarge', `${file}: ${error.message.replace('the templates', 'the program')}`);
    if (error instanceof RangeError && error.message.includes('call stack'))
      throw new RenderError('TemplateFailed', `${file}: max stack frames exceeded`);
    if (!(error instanceof JsonnetError)) throw error;
    throw new RenderError('TemplateFailed', error.trace.length > 0 ? error.explained : `${file}: ${error.explained}`);
  }
}

async function run(
  tree: Tree,
  file: string,
  { extVars = [], tlas = [], libs = [], limits }: JsonnetOptions,
): Promise<unknown> {
  const library = new Library(tree, libs);
  await library.load(file);
  const modules = new Map<string, Thunk>();
  const module = (path: string): Thunk => {
    let thunk = modules.get(path);
    if (!thunk) {
      thunk = new Thunk(() => evaluator.evaluate(must(library.programs.get(path), path).root, withThisFile(path)));
      modules.set(path, thunk);
    }
    return thunk;
  };
  const evaluator = new Evaluator({
    budget: new Budget(limits),
    importFile(node) {
      const path = library.fileOf(node);
      if (node.as === 'code') return module(path).force();
      const content = must(library.contents.get(path), path);
      return node.as === 'text' ? Buffer.from(content).toString('utf8') : JsonnetArray.of([...content]);
    },
  });
  const variables = async (kind: string, all: readonly JsonnetVariable[]): Promise<Map<string, Thunk>> => {
    const thunks = new Map<string, Thunk>();
    for (const { name, value, code } of all) {
      const { root } = code ? await library.parse(`<${kind}:${name}>`, value) : { root: undefined };
      thunks.set(name, root ? evaluator.delayed(root, withThisFile(`<${kind}:${name}>`)) : Thunk.of(value));
    }
    return thunks;
  };
  const std = standardLibrary(evaluator, await variables('extvar', extVars));
  const args = await variables('top-level-arg', tlas);
  evaluator.globals.variables.set('std', Thunk.of(std));

  function withThisFile(path: string): Scope {
    const scope = new Scope();
    const thisFile = JsonnetObject.of([['thisFile', Thunk.of(path)]]);
    const hidden = [...thisFile.layers].map((layer) => ({
      ...layer,
      fields: new Map([...layer.fields].map(([name, field]) => [name, { ...field, visibility: 'hidden' as const }])),
    }));
    scope.variables.set('std', new Thunk(() => new JsonnetObject([...std.layers, ...hidden])));
    return scope;
  }

  let value: Value = module(file).force();
  if (isFunction(value)) value = evaluator.call(value, [], args);
  return toPlain(evaluator, value);
}
