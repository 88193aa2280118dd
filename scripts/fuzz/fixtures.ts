import { hash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Finding } from './run-target.ts';

/** The folder with the findings of a target: `packages/PACKAGE/test/fixtures/fuzz/TARGET`. */
export const fixtureFolder = (targetFile: string): string =>
  join(dirname(dirname(targetFile)), 'fixtures/fuzz', basename(targetFile, '.ts'));

/** Keeps a finding, so that `npm test` checks its input from now on. Returns the path. */
export function keepFinding(root: string, targetFile: string, { input, problem }: Finding): string {
  const text = JSON.stringify(input);
  const path = join(fixtureFolder(targetFile), `${hash('sha256', text).slice(0, 12)}.json`);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  const [title = ''] = problem.split('\n');
  writeFileSync(join(root, path), `${JSON.stringify({ problem: title, input }, undefined, 2)}\n`);
  return path;
}

/** The inputs of earlier findings. */
export const keptInputs = (root: string, targetFile: string): unknown[] =>
  globSync(`${fixtureFolder(targetFile)}/*.json`, { cwd: root })
    .sort()
    .map((path): { readonly input: unknown } => JSON.parse(readFileSync(join(root, path), 'utf8')))
    .map(({ input }) => input);
