import { stripTypeScriptTypes } from 'node:module';
import { type Mutant, mutate } from './mutant.ts';

/** Problems of the list itself: texts that no longer apply, faults that do not parse, checks that do not exist. */
export function problemsOf(
  mutants: readonly Mutant[],
  { read, scenarios }: { readonly read: (file: string) => string | undefined; readonly scenarios: readonly string[] },
): string[] {
  const names = mutants.map(({ name }) => name);
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `two mutants are named "${name}"`),
    ...mutants.flatMap((mutant) => {
      const problem = sourceProblem(mutant, read(mutant.file));
      return [...(problem === undefined ? [] : [problem]), ...checkProblems(mutant, read, scenarios)];
    }),
  ];
}

function sourceProblem(mutant: Mutant, source: string | undefined): string | undefined {
  if (source === undefined) return `${mutant.file}: no such file, for the mutant "${mutant.name}"`;
  try {
    stripTypeScriptTypes(mutate(source, mutant));
    return undefined;
  } catch (error) {
    return error instanceof Error && error.message.startsWith(mutant.file)
      ? error.message
      : `${mutant.file}: the mutant "${mutant.name}" does not parse: ${error}`;
  }
}

function checkProblems(
  { name, caughtBy }: Mutant,
  read: (file: string) => string | undefined,
  scenarios: readonly string[],
): string[] {
  if (caughtBy.length === 0) return [`the mutant "${name}" names nothing that catches it`];
  return caughtBy
    .filter((check) =>
      check.startsWith('sim/') ? !scenarios.includes(check.slice('sim/'.length)) : read(check) === undefined,
    )
    .map((check) => `the mutant "${name}" names ${check}, which does not exist`);
}
