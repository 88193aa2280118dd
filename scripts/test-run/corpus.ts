export interface SuitePlan {
  readonly run: readonly string[];
  /** Suite and reason, for what cannot run. */
  readonly skipped: readonly string[];
}

/**
 * Which suites run: those with a runner and a folder of data. A suite without data and a folder without a runner are named, so that
 * nothing is left out silently. `folders` is undefined if there is no corpus.
 */
export function planSuites(
  runners: readonly string[],
  folders: readonly string[] | undefined,
  corpus: string,
): SuitePlan {
  if (!folders) return { run: [], skipped: runners.map((name) => `conformance ${name}: no corpus at ${corpus}`) };
  return {
    run: runners.filter((name) => folders.includes(name)),
    skipped: [
      ...runners
        .filter((name) => !folders.includes(name))
        .map((name) => `conformance ${name}: no data at ${corpus}/${name}`),
      ...folders.filter((name) => !runners.includes(name)).map((name) => `conformance ${name}: no runner yet`),
    ],
  };
}
