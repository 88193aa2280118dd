import type { Generator } from '@fairlead/api';
import { BadPattern, pathMatcher } from '@fairlead/apimachinery';
import type { GitAsk } from '../git/git-reader.ts';
import type { GeneratorRun } from './generator.ts';
import { during } from './generator-error.ts';
import { addPath } from './git-path.ts';
import { type Params, paramsOf } from './params.ts';
import { addValues } from './values.ts';

type GitSpec = NonNullable<Generator['git']>;

export async function directoryParams(spec: GitSpec, run: GeneratorRun, ask: GitAsk): Promise<Params[]> {
  const all = await during('error getting directories from repo', () =>
    during('error retrieving Git Directories', () => run.git.directories(spec.repoURL, spec.revision, ask)),
  );
  const isSelected = directoryFilter(spec.directories ?? []);
  const result: Params[] = [];
  for (const directory of all) {
    if (!isSelected(directory)) continue;
    const params = paramsOf();
    addPath(params, { directory }, run.goTemplate, spec.pathParamPrefix);
    if (spec.values)
      await during('error generating params from apps', () =>
        during('failed to append templated values', () => addValues(params, spec.values, run)),
      );
    result.push(params);
  }
  return result;
}

/** What one pattern includes and none excludes. A pattern that cannot be read matches nothing. */
function directoryFilter(items: readonly { path: string; exclude?: boolean }[]): (directory: string) => boolean {
  const compiled = items.map(({ path, exclude = false }) => ({ matches: matcher(path), exclude }));
  return (directory) => {
    const matching = compiled.filter(({ matches }) => matches(directory));
    return matching.length > 0 && matching.every(({ exclude }) => !exclude);
  };
}

function matcher(pattern: string): (directory: string) => boolean {
  try {
    return pathMatcher(pattern);
  } catch (error) {
    if (error instanceof BadPattern) return () => false;
    throw error;
  }
}
