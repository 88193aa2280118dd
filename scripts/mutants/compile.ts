import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceCopy } from '../contributing/workspace-copy.ts';
import { type Mutant, mutate, occurrences } from './mutant.ts';

/** A fault that does not compile tells nothing about the tests. Returns the errors of the compiler. */
export function typeErrors(mutants: readonly Mutant[], root: string): string[] {
  return rounds(mutants, (file) => readFileSync(join(root, file), 'utf8')).flatMap((sources) => {
    const copy = new WorkspaceCopy(root);
    try {
      for (const [file, source] of sources) writeFileSync(join(copy.folder, file), source);
      // A fault may leave a variable without use.
      const options = ['--noEmit', '--noUnusedLocals', 'false'];
      const { code, output } = copy.run(process.execPath, 'node_modules/typescript/bin/tsc', ...options);
      return code === 0 ? [] : output.trim().split('\n');
    } finally {
      copy.remove();
    }
  });
}

/**
 * The sources to compile, each with as many faults as can be in it at the same time, so that one run of the compiler checks most of them. What
 * does not apply beside the others is in a further round.
 */
export function rounds(mutants: readonly Mutant[], read: (file: string) => string): Map<string, string>[] {
  if (mutants.length === 0) return [];
  const sources = new Map<string, string>();
  const later: Mutant[] = [];
  for (const mutant of mutants) {
    const source = sources.get(mutant.file) ?? read(mutant.file);
    if (sources.has(mutant.file) && occurrences(source, mutant) !== 1) later.push(mutant);
    else sources.set(mutant.file, mutate(source, mutant));
  }
  return [sources, ...rounds(later, read)];
}
