import { GlobError, globMatcher } from '@fairlead/apimachinery';
import { GeneratorError } from '../generators/generator-error.ts';

/**
 * Whether a file is one that a pattern of the generator selects: as a path of `git ls-files`, where `*` also crosses `/` and a directory
 * means all that is below it; or with the new globbing, where `**` is for any number of directories.
 */
export function fileMatcher(pattern: string, newGlobbing: boolean): (file: string) => boolean {
  const path = pattern.replace(/^(?:\.\/+)+/u, '');
  try {
    return newGlobbing ? globMatcher(withDirectories(path), '/') : pathspec(path);
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    throw new GeneratorError(`${JSON.stringify(pattern)} is not a valid pattern for files: ${error.message}`);
  }
}

function pathspec(path: string): (file: string) => boolean {
  if (path === '' || path === '.') return () => true;
  const directory = path.endsWith('/') ? path : `${path}/`;
  const isBelow = (file: string): boolean => file === path || file.startsWith(directory);
  if (!/[*?[\\]/u.test(path)) return isBelow;
  const matches = globMatcher(path.replaceAll(/[{}]/gu, String.raw`\$&`));
  return (file) => isBelow(file) || matches(file);
}

/** `a/**` + `/b` also means `a/b`. */
const withDirectories = (path: string): string =>
  path.replaceAll(/(?<=^|\/)\*\*\//gu, '{,**/}').replace(/\/\*\*$/u, '/**');
