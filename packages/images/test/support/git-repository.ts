import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@fairlead/kube';
import { type GitHttpOptions, startGitHttp } from '@fairlead/source/testing';
import { GitWriter, type GitWriterOptions } from '../../src/git/git-writer.ts';
import { WriteRepositories } from '../../src/git/write-repository.ts';

/** A bare repository behind a Git server, a clone to read and push from, and a writer. */
export async function gitRepository(
  files: Record<string, string>,
  options: Partial<GitWriterOptions> & Pick<GitHttpOptions, 'authorization' | 'intercept'> = {},
  path = 'repo.git',
) {
  const root = mkdtempSync(join(tmpdir(), 'images-git-'));
  const bare = join(root, 'served', path);
  const clone = join(root, 'clone');
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args],
      { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    ).trim();
  mkdirSync(bare, { recursive: true });
  git(bare, 'init', '-q', '--bare', '-b', 'main');
  git(bare, 'config', 'http.receivepack', 'true');
  git(root, 'clone', '-q', bare, 'clone');
  const commit = (changes: Record<string, string>, message = 'a change'): string => {
    git(clone, 'fetch', '-q', 'origin');
    if (git(clone, 'branch', '-r') !== '') git(clone, 'reset', '-q', '--hard', 'origin/main');
    for (const [path, content] of Object.entries(changes)) {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      writeFileSync(join(clone, path), content);
    }
    git(clone, 'add', '-A');
    git(clone, 'commit', '-qm', message);
    git(clone, 'push', '-q', 'origin', 'HEAD:main');
    return git(clone, 'rev-parse', 'HEAD');
  };
  commit(files, 'first');
  const server = await startGitHttp({
    root: join(root, 'served'),
    ...(options.authorization ? { authorization: options.authorization } : {}),
    ...(options.intercept ? { intercept: options.intercept } : {}),
  });
  mkdirSync(join(root, 'mirrors'));
  const repositories = new WriteRepositories({
    dir: join(root, 'mirrors'),
    clock: systemClock,
    environment: process.env,
  });
  const opened = [repositories];
  const writer = new GitWriter({
    repositories,
    clock: systemClock,
    random: Math.random,
    windowMs: 20,
    identity: { name: 'updater', email: 'updater@example.com' },
    ...options,
  });
  const { authorization: _, intercept: __, ...rest } = options;
  return {
    root,
    bare,
    writer,
    url: `${server.url}/${path}`,
    requests: server.requests,
    commit,
    git: (...args: string[]) => git(bare, ...args),
    show: (path: string, branch = 'main') =>
      execFileSync('git', ['show', `${branch}:${path}`], { cwd: bare, encoding: 'utf8' }),
    log: (branch = 'main') => git(bare, 'log', '--format=%s', branch).split('\n'),
    /** Another writer with another directory, as after a restart elsewhere. */
    freshWriter: (more: Partial<GitWriterOptions> = {}) => {
      const own = new WriteRepositories({
        dir: mkdtempSync(join(root, 'mirrors-')),
        clock: systemClock,
        environment: process.env,
      });
      opened.push(own);
      return new GitWriter({
        repositories: own,
        clock: systemClock,
        random: Math.random,
        windowMs: 20,
        identity: { name: 'updater', email: 'updater@example.com' },
        ...rest,
        ...more,
      });
    },
    async close() {
      for (const one of opened) one.close();
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
