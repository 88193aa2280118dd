import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { applyEdit, type Edit, type Step } from './edits.ts';

/** A copy of the workspace in a temporary folder, in which edits can be tried. npm packages are shared with the original. */
export class WorkspaceCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'fairlead-copy-'));

  constructor(root: string) {
    const filter = (path: string): boolean => basename(path) !== 'node_modules';
    for (const part of ['package.json', 'tsconfig.json', 'docs', 'packages', 'scripts'])
      cpSync(join(root, part), join(this.folder, part), { recursive: true, filter });
    const modules = join(this.folder, 'node_modules');
    mkdirSync(modules);
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@fairlead') symlinkSync(join(root, 'node_modules', name), join(modules, name));
    mkdirSync(join(modules, '@fairlead'));
    for (const name of readdirSync(join(this.folder, 'packages')))
      symlinkSync(join(this.folder, 'packages', name), join(modules, '@fairlead', name));
  }

  /** Does the step; fails if its edit does not match or its command fails. */
  take(step: Step): void {
    if ('path' in step) return this.#apply(step);
    const { code, output } = this.run('sh', '-c', step.command);
    if (code !== 0) throw new Error(`${step.command} exited with ${code}: ${output}`);
  }

  /** The files whose content differs from the state that `hashes()` returned earlier. */
  changedSince(earlier: ReadonlyMap<string, string>): string[] {
    return [...this.hashes()].filter(([path, hash]) => earlier.get(path) !== hash).map(([path]) => path);
  }

  hashes(): Map<string, string> {
    const files = globSync('{docs,packages,scripts}/**/*.*', { cwd: this.folder, withFileTypes: true });
    return new Map(
      files
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [relative(this.folder, path), hash('sha256', readFileSync(path))]),
    );
  }

  #apply(edit: Edit): void {
    const path = join(this.folder, edit.path);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, applyEdit(existsSync(path) ? readFileSync(path, 'utf8') : '', edit));
  }

  /** Runs a program in the copy; its output, from both streams. */
  run(command: string, ...args: string[]): { readonly code: number | null; readonly output: string } {
    // With this variable, `node --test` in the copy would report to the test runner of the original and run nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, env, encoding: 'utf8' });
    return { code: status, output: `${stdout}${stderr}` };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
