import { slices } from '../conformance/suite.ts';

export interface SuitePlan {
  readonly run: readonly string[];
  /** Suite and reason, for what cannot run. */
  readonly skipped: readonly string[];
}

/**
 * Which suites run: those with a runner and a folder of data. A suite without data and a folder without a runner are named, so that
 * nothing is left out silently. `folders` is undefined if there is no corpus. `unfinished` has suites that are not run, with the reason.
 */
export function planSuites(
  runners: readonly string[],
  folders: readonly string[] | undefined,
  corpus: string,
  unfinished: ReadonlyMap<string, string> = new Map(),
): SuitePlan {
  if (!folders) return { run: [], skipped: runners.map((name) => `conformance ${name}: no corpus at ${corpus}`) };
  const missing = (name: string): string | undefined => foldersOf(name).find((folder) => !folders.includes(folder));
  const withData = runners.filter((name) => missing(name) === undefined);
  return {
    run: withData.filter((name) => !unfinished.has(name)),
    skipped: [
      ...withData.filter((name) => unfinished.has(name)).map((name) => `conformance ${name}: ${unfinished.get(name)}`),
      ...runners
        .filter((name) => missing(name) !== undefined)
        .map((name) => `conformance ${name}: no data at ${corpus}/${missing(name)}`),
      ...folders
        .filter((name) => !runners.flatMap(foldersOf).includes(name))
        .map((name) => `conformance ${name}: no runner yet`),
    ],
  };
}

/** The folders of the corpus that a suite reads. */
export const foldersOf = (name: string): readonly string[] => slices.get(name)?.folders ?? [name];

/** The arguments of `npm run conformance`: all cases of the suite, or its slice. */
export function suiteArguments(name: string, corpus: string): string[] {
  const { every = 1, folders } = slices.get(name) ?? {};
  return [name, folders ? corpus : `${corpus}/${name}`, ...(every > 1 ? ['--every', String(every)] : [])];
}
