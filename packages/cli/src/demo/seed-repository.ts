import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { demoFiles } from './files.ts';

export interface DemoRepository {
  /** The bare repository that is served and watched. */
  readonly bare: string;
  /** The clone that the user edits. */
  readonly clone: string;
}

/** Pushes each commit to the repository at once; a rejected push is reported and keeps the commit. */
const pushOnCommit = `#!/bin/sh
# Created by fairlead up: a commit is a deployment.
git push --quiet origin HEAD || echo "not pushed: run git pull --rebase, then git push" >&2
`;

/**
 * Creates the demo's bare repository and a clone of it, each in a temporary folder that is renamed when complete. Existing ones are left
 * unchanged.
 */
export async function seedDemoRepository(
  at: DemoRepository,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const git = async (cwd: string, ...args: string[]): Promise<string> => {
    const env = { ...environment, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' } as NodeJS.ProcessEnv;
    for (const name of Object.keys(env))
      if (/^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY)$/u.test(name)) delete env[name];
    return (await promisify(execFile)('git', args, { cwd, env })).stdout.trim();
  };
  if (!existsSync(at.bare))
    await build(at.bare, async (dir) => {
      await git(dir, 'init', '--quiet', '--bare', '--template=', '--initial-branch=main');
      await git(dir, 'config', 'http.receivepack', 'true');
      await firstCommit(git, dir);
    });
  if (!existsSync(at.clone))
    await build(at.clone, async (dir) => {
      await git(dir, 'clone', '--quiet', '--template=', '--', at.bare, '.');
      await configureClone(git, dir);
    });
}

type RunGit = (cwd: string, ...args: string[]) => Promise<string>;

async function build(place: string, make: (dir: string) => Promise<void>): Promise<void> {
  const unfinished = `${place}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await make(unfinished);
  renameSync(unfinished, place);
}

async function firstCommit(git: RunGit, bare: string): Promise<void> {
  const work = join(bare, 'seed');
  for (const [path, content] of Object.entries(demoFiles)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  const inWork = ['--git-dir', bare, '--work-tree', work];
  await git(work, ...inWork, 'add', '--all');
  const identity = ['-c', 'user.name=Fairlead', '-c', 'user.email=demo@fairlead.local', '-c', 'commit.gpgsign=false'];
  await git(work, ...identity, ...inWork, 'commit', '--quiet', '--no-verify', '-m', 'A small web page');
  rmSync(work, { recursive: true });
  rmSync(join(bare, 'index'), { force: true });
}

async function configureClone(git: RunGit, clone: string): Promise<void> {
  const hook = join(clone, '.git', 'hooks', 'post-commit');
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, pushOnCommit);
  chmodSync(hook, 0o755);
  await git(clone, 'config', 'core.hooksPath', '.git/hooks');
  await git(clone, 'config', 'push.default', 'current');
  const known = await git(clone, 'config', 'user.email').catch(() => '');
  if (known !== '') return;
  await git(clone, 'config', 'user.name', 'Fairlead demo');
  await git(clone, 'config', 'user.email', 'demo@fairlead.local');
}
