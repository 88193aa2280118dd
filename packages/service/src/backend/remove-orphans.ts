import { pages } from '../paging.ts';
import { changing, removeApplication, unmappedApplications } from '../store/index.ts';
import type { Context } from './context.ts';

const pageSize = 500;
/** More orphans than this, and at least half of all rows, are a lost table rather than lost resources: an administrator must check first. */
const brakeAbove = 10;

/** Removes rows that no GitOpsDeployment belongs to, and that no name leads to. */
export async function removeOrphans(context: Context, signal: AbortSignal): Promise<void> {
  const { db, instance, clock, deploymentKeys, deploymentInformer, log } = context;
  const orphans: { uid: string; tenant: string; repository: string }[] = [];
  for await (const row of pages((after) => unmappedApplications(db, after, pageSize), signal))
    if (deploymentKeys.get(row.uid) === undefined) orphans.push(row);
  if (orphans.length > brakeAbove && orphans.length > deploymentInformer.size) {
    log.error('most rows of Applications have no mapping: none is deleted before an administrator has checked', {
      count: orphans.length,
    });
    return;
  }
  for (const row of orphans) {
    const now = new Date(clock.now());
    await changing(db, (tx) => removeApplication(tx, { ...row, instance, now }));
  }
}
