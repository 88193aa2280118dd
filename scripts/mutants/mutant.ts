/** A deliberate fault in the product, and what must notice it. */
export interface Mutant {
  /** The failure, like the title of a bug report. */
  readonly name: string;
  /** The source file, from the root of the workspace. */
  readonly file: string;
  /** A text that occurs once in the file. */
  readonly replace: string;
  readonly by: string;
  /** Test files, from the root of the workspace, and scenarios as `sim/NAME`. One of them must fail. */
  readonly caughtBy: readonly string[];
  /** The fault shows as a test that does not end. Without this, a test that does not end does not count. */
  readonly hangs?: true;
}

/** How often the text of a mutant occurs in the source. */
export const occurrences = (source: string, { replace }: Mutant): number => source.split(replace).length - 1;

/** The source with the fault; throws if the text does not occur exactly once. */
export function mutate(source: string, mutant: Mutant): string {
  const count = occurrences(source, mutant);
  if (count !== 1)
    throw new Error(
      `${mutant.file}: the text of the mutant "${mutant.name}" occurs ${count} times, not once. Adapt \`replace\` to the present source.`,
    );
  // A function, because a replacement text has special characters.
  return source.replace(mutant.replace, () => mutant.by);
}
