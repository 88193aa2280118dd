import { fn } from '../go-template/function.ts';
import type { GoFunction } from '../go-template/go-value.ts';

/** Go's path.Clean: the shortest equivalent path. */
export function cleanPath(path: string): string {
  if (path === '') return '.';
  const rooted = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (!rooted) names.push('..');
  }
  const clean = names.join('/');
  return rooted ? `/${clean}` : clean === '' ? '.' : clean;
}

export function baseName(path: string): string {
  if (path === '') return '.';
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

const dir = fn('string', (path: string) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1)));
const base = fn('string', baseName);
const clean = fn('string', cleanPath);
const ext = fn('string', (path: string) => /\.[^./]*$/.exec(path)?.[0] ?? '');
const isAbs = fn('string', (path: string) => path.startsWith('/'));

export const pathFunctions: Readonly<Record<string, GoFunction>> = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
};
