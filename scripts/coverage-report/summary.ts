/** Line, branch and function counts of one file; a part of what `node:test` reports. */
export interface FileCoverage {
  /** Relative to the root of the workspace. */
  readonly path: string;
  readonly totalLineCount: number;
  readonly coveredLineCount: number;
  readonly totalBranchCount: number;
  readonly coveredBranchCount: number;
  readonly totalFunctionCount: number;
  readonly coveredFunctionCount: number;
}

/** A table with one row for each package and one for all of them. */
export function summaryLines(files: readonly FileCoverage[]): string[] {
  const packages = new Map<string, FileCoverage[]>();
  for (const file of files) {
    const name = packageOf(file.path);
    packages.set(name, [...(packages.get(name) ?? []), file]);
  }
  const rows = [...packages].sort(([one], [other]) => one.localeCompare(other));
  return ['package', ...rows.map(([name]) => name), 'all'].map((name, at, names) => {
    if (at === 0) return row(name, 'files', 'lines %', 'branches %', 'functions %');
    const own = at === names.length - 1 ? files : (packages.get(name) ?? []);
    return row(
      name,
      String(own.length),
      percent(own, 'coveredLineCount', 'totalLineCount'),
      percent(own, 'coveredBranchCount', 'totalBranchCount'),
      percent(own, 'coveredFunctionCount', 'totalFunctionCount'),
    );
  });
}

type Count = Exclude<keyof FileCoverage, 'path'>;

function percent(files: readonly FileCoverage[], covered: Count, total: Count): string {
  const sum = (count: Count): number => files.reduce((all, file) => all + file[count], 0);
  return sum(total) === 0 ? '-' : ((100 * sum(covered)) / sum(total)).toFixed(1);
}

const row = (name: string, ...cells: readonly string[]): string =>
  name.padEnd(18) + cells.map((cell) => cell.padStart(13)).join('');

const packageOf = (path: string): string => (path.startsWith('packages/') ? (path.split('/')[1] ?? path) : 'scripts');
