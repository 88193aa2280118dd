import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ApplicationSource } from '@fairlead/api';
import { systemClock } from '@fairlead/kube';
import { createRepositories } from '@fairlead/source';
import type { Figure } from '../../../scripts/bench.ts';
import { createManifestCache, createRenderPool } from '../src/index.ts';
import { type Files, monorepo } from './samples.ts';

const apps = 10_000;
const touched = 4_711;

/** A commit in the format of `git fast-import`: files are added to those of the branch. */
function commit(message: string, files: Files): Buffer {
  const parts: (string | Uint8Array)[] = [];
  const data = (content: string | Uint8Array): void => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    parts.push(`data ${bytes.length}\n`, bytes, '\n');
  };
  parts.push('commit refs/heads/main\ncommitter bench <bench@example.com> 1700000000 +0000\n');
  data(message);
  if (message !== 'first') parts.push('from refs/heads/main^0\n');
  for (const [path, content] of Object.entries(files)) {
    parts.push(`M 100644 inline ${path}\n`);
    data(content);
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

const sourceOf = (repoURL: string, i: number): ApplicationSource =>
  i % 3 === 2
    ? { repoURL, path: 'chart', helm: { valueFiles: [`/apps/a${i}/values.yaml`] } }
    : { repoURL, path: `apps/a${i}` };

/** Ten thousand Applications in one real Git repository: rendered once, then a commit that touches one of them. */
export async function* monorepoFigures(dir: string): AsyncGenerator<Figure> {
  const bare = join(dir, 'mono.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
  const add = (message: string, files: Files): void => {
    execFileSync('git', ['-C', bare, 'fast-import', '--quiet'], { input: commit(message, files) });
  };
  const files = monorepo(apps);
  add('first', files);
  const url = `file://${bare}`;
  const repositories = createRepositories({
    cacheDir: join(dir, 'cache'),
    clock: systemClock,
    environment: process.env,
    pollMs: 600_000,
    allowLocal: true,
  });
  const pool = createRenderPool();
  const cache = createManifestCache({ renderer: pool.render });
  const all = async (): Promise<{ ms: number; fetchMs: number; renders: number }> => {
    const [asked, before] = [performance.now(), cache.renders];
    const tree = await repositories.tree(url, await repositories.resolve(url, 'main', { fresh: true }));
    const began = performance.now();
    for (let i = 0; i < apps; i++) await cache.render(url, sourceOf(url, i), tree, { name: `a${i}` });
    return { ms: performance.now() - began, fetchMs: began - asked, renders: cache.renders - before };
  };
  try {
    const first = await all();
    yield {
      name: `monorepo of ${apps} applications, first time`,
      value: first.ms / 1000,
      unit: 's',
      note: `${first.renders} renders`,
    };
    const path = Object.keys(files).find((file) => file.startsWith(`apps/a${touched}/`))!;
    add('second', { [path]: `${files[path]}# touched\n` });
    const second = await all();
    yield {
      name: 'one commit that touches one application: renders',
      value: second.renders,
      unit: '',
      atMost: 1,
      atLeast: 1,
    };
    yield {
      name: 'the same, all applications checked',
      value: second.ms,
      unit: 'ms',
      note: `and ${Math.round(second.fetchMs)} ms to fetch the commit`,
    };
    yield { name: 'unchanged re-render, at a new commit', value: second.ms / apps, unit: 'ms', atMost: 0.1 };
    yield { name: 'manifests kept', value: cache.bytes / 1024 ** 2, unit: 'MiB' };
  } finally {
    repositories.close();
    await pool.close();
  }
}
