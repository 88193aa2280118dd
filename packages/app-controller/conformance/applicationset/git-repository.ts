import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordedCommit } from './recorded-case.ts';

/** A bare repository, and the commits that a case pushes to it, one after the other. */
export interface GitRepository {
  readonly path: string;
  /** The ids of all commits, also of those that are not pushed yet. */
  readonly ids: readonly string[];
  push(commit: number): void;
}

export function createRepository(dir: string, commits: readonly RecordedCommit[]): GitRepository {
  const path = join(dir, 'repo.git');
  const work = join(dir, 'work');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', work, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...identity },
    }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', path]);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', work]);
  const branches = new Set(['main']);
  const ids = commits.map(({ branch = 'main', files }, i) => {
    if (!branches.has(branch)) git('checkout', '--quiet', '-b', branch);
    else if (i > 0) git('checkout', '--quiet', branch);
    branches.add(branch);
    for (const [name, content] of Object.entries(files)) change(join(work, name), content);
    git('add', '--all', '--force');
    git('commit', '--quiet', '--allow-empty', '-m', `commit ${i}`);
    return git('rev-parse', 'HEAD');
  });
  return {
    path,
    ids,
    push(commit) {
      const { branch = 'main', tag } = commits[commit] ?? { files: {} };
      const id = ids[commit] ?? '';
      git('push', '--quiet', '--force', path, `${id}:refs/heads/${branch}`, ...(tag ? [`${id}:refs/tags/${tag}`] : []));
    },
  };
}

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

function change(file: string, content: string | null): void {
  if (content === null) return rmSync(file, { force: true, recursive: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
