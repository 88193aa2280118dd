import { posix } from 'node:path';
import type { Generator } from '@fairlead/api';
import { messageOf } from '@fairlead/apimachinery';
import { GoMap, type GoValue, itemsOf } from '@fairlead/render/go-template';
import { readYaml } from '@fairlead/render/go-yaml';
import { fromPlain } from '@fairlead/render/sprig';
import type { GitAsk } from '../git/git-reader.ts';
import type { GeneratorRun } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { addPath } from './git-path.ts';
import { cannotUnmarshal } from './go-json-error.ts';
import { flatTexts, type Params, paramsOf } from './params.ts';
import { addValues } from './values.ts';

type GitSpec = NonNullable<Generator['git']>;

export async function fileParams(spec: GitSpec, run: GeneratorRun, ask: GitAsk): Promise<Params[]> {
  const files = new Map<string, Uint8Array>();
  const ofPattern = (pattern: string): Promise<ReadonlyMap<string, Uint8Array>> =>
    during('error retrieving Git files', () => run.git.files(spec.repoURL, spec.revision, pattern, ask));
  const items = spec.files ?? [];
  for (const { path, exclude } of items) {
    if (!exclude) for (const [file, content] of await ofPattern(path)) files.set(file, content);
  }
  for (const { path, exclude } of items) {
    if (exclude) for (const file of (await ofPattern(path)).keys()) files.delete(file);
  }
  const result: Params[] = [];
  for (const [file, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const params = await during(`unable to process file '${file}' from repository '${spec.repoURL}'`, () =>
      paramsOfFile(file, content, spec, run),
    );
    result.push(...params);
  }
  return result;
}

async function paramsOfFile(file: string, content: Uint8Array, spec: GitSpec, run: GeneratorRun): Promise<Params[]> {
  const filename = posix.basename(file);
  const directory = posix.dirname(file);
  const result: Params[] = [];
  for (const object of objectsIn(Buffer.from(content).toString('utf8'))) {
    const params = run.goTemplate ? paramsOf(object) : paramsOf(Object.entries(flatTexts(object)));
    addPath(params, { directory, filename }, run.goTemplate, spec.pathParamPrefix);
    await during('failed to append templated values', () => addValues(params, spec.values, run));
    result.push(params);
  }
  return result;
}

/** A file holds one set of parameters, or a list of them. */
function objectsIn(text: string): GoMap[] {
  let value: GoValue;
  try {
    value = fromPlain(readYaml(text));
  } catch (error) {
    throw new GeneratorError(`unable to parse file: ${messageOf(error)}`);
  }
  if (value === null || value === undefined) return [new GoMap()];
  if (value instanceof GoMap) return [value];
  const decoding = 'unable to parse file: error unmarshaling JSON: while decoding JSON: ';
  const items = itemsOf(value);
  if (!items) throw new GeneratorError(`${decoding}${cannotUnmarshal(value, '[]map[string]interface {}')}`);
  return items.map((item) => {
    if (item === null) return new GoMap();
    if (item instanceof GoMap) return item;
    throw new GeneratorError(`${decoding}${cannotUnmarshal(item, 'map[string]interface {}')}`);
  });
}
