import { type UpdateResult, versionText } from '@fairlead/images';

/** What one round did, or would do with `--dry-run`: a line for each image that is not up to date, and the totals. */
export function roundLines(results: readonly UpdateResult[], dryRun: boolean): string[] {
  const lines = results.flatMap(({ entry, report }) =>
    [
      ...report.updated.map(
        ({ alias, image, old, new: next }) =>
          `${alias || image.name}: ${versionText(old) || 'nothing'} → ${versionText(next)}${where(report)}`,
      ),
      ...report.held.map(({ image, reason }) => `${image}: ${reason}`),
      ...report.problems.map(({ image, error }) => `${image === '' ? '' : `${image}: `}! ${error.message}`),
    ].map((line) => `${entry.key}  ${line}`),
  );
  const sum = (count: (result: UpdateResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const updates = dryRun
    ? `${sum(({ report }) => report.held.length)} images would be updated`
    : `${sum(({ report }) => report.updated.length)} images updated`;
  return [
    ...lines,
    `${results.length} applications, ${updates}, ${sum(({ report }) => report.problems.length)} errors`,
  ];
}

const where = ({ pullRequest, commit }: UpdateResult['report']): string =>
  pullRequest ? ` (${pullRequest})` : commit ? ` (commit ${commit.slice(0, 10)})` : '';
