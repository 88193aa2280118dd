/** What `npm test` runs: test files by path, and data suites as `conformance/NAME`. */
export interface Selection {
  /** Lint, types and borders; only a run without patterns has them. */
  readonly checks: boolean;
  readonly files: readonly string[];
  readonly suites: readonly string[];
  /** Patterns that match nothing, most likely misspelt. */
  readonly unmatched: readonly string[];
}

/** Without patterns, everything; else the files whose path contains a pattern, and the suites that `conformance` or `conformance/NAME` selects. */
export function select(files: readonly string[], suites: readonly string[], patterns: readonly string[]): Selection {
  if (patterns.length === 0) return { checks: true, files, suites, unmatched: [] };
  const fileMatches = (file: string, pattern: string): boolean => file.includes(pattern);
  const suiteMatches = (suite: string, pattern: string): boolean =>
    pattern === 'conformance' || pattern === `conformance/${suite}`;
  return {
    checks: false,
    files: files.filter((file) => patterns.some((pattern) => fileMatches(file, pattern))),
    suites: suites.filter((suite) => patterns.some((pattern) => suiteMatches(suite, pattern))),
    unmatched: patterns.filter(
      (pattern) =>
        !files.some((file) => fileMatches(file, pattern)) && !suites.some((suite) => suiteMatches(suite, pattern)),
    ),
  };
}
