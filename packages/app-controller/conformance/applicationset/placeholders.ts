import type { GitRepository } from './git-repository.ts';

/** Puts addresses and commits in the places of `$REPO`, `$FORGE`, `$COMMIT0` …, and back. */
export function substitutions(
  forge: string,
  repository: GitRepository | undefined,
): { insert<T>(value: T): T; restore<T>(value: T): T } {
  const pairs: [string, string][] = [
    ...(repository?.ids ?? []).map((id, i): [string, string] => [`$COMMIT${i}`, id]),
    ['$REPO_PATH', repository?.path ?? '/nowhere'],
    ['$REPO', repository?.path ?? '/nowhere'],
    ['$FORGE_HOST', new URL(forge).host],
    ['$FORGE', forge],
  ].sort(([a = ''], [b = '']) => b.length - a.length) as [string, string][];
  const rewrite = <T>(value: T, from: 0 | 1, to: 0 | 1): T => {
    let text = JSON.stringify(value);
    for (const pair of pairs) text = text.replaceAll(pair[from], pair[to]);
    return JSON.parse(text) as T;
  };
  return {
    insert: (value) => rewrite(value, 0, 1),
    restore: (value) => {
      let text = JSON.stringify(value);
      for (const [name, actual] of pairs)
        if (name !== '$REPO_PATH' && name !== '$FORGE_HOST') text = text.replaceAll(actual, name);
      return JSON.parse(text) as typeof value;
    },
  };
}
