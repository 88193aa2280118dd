import type { CommitMetadata } from './commit-value.ts';

/** What Git's text of a commit says. Tags are not part of it. */
export function commitMetadata(commit: string): CommitMetadata {
  const end = commit.indexOf('\n\n');
  const headers = end < 0 ? commit : commit.slice(0, end);
  const author = /^author (.*) (-?\d+) ([-+]\d{4})$/mu.exec(headers);
  return {
    message: end < 0 ? '' : commit.slice(end + 2).trim(),
    author: author?.[1] ?? '',
    date: new Date(Number(author?.[2] ?? 0) * 1000).toISOString().replace('.000', ''),
    tags: [],
  };
}
