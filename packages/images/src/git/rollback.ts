import type { WriteJob } from './git-writer.ts';
import { repositoryPath } from './repository-path.ts';
import type { PastCommit, WriteRepository } from './write-repository.ts';

/**
 * Whether a person has taken back what a job would write: some time ago we committed files in which the job changes nothing, and since
 * then somebody else has changed them. The repository itself remembers it, so nothing is lost by a restart. A version that we never
 * wrote is not held: newer images go on.
 */
export async function rollbackOf(
  repository: Pick<WriteRepository, 'read'>,
  history: readonly PastCommit[],
  job: WriteJob,
  changed: readonly string[],
  ownEmail: string,
): Promise<string | undefined> {
  const touching = history.filter(({ paths }) => changed.some((path) => paths.has(path)));
  const revert = touching.find(({ email }) => email !== ownEmail);
  if (!revert) return undefined;
  for (const commit of touching.slice(touching.indexOf(revert) + 1)) {
    if (commit.email !== ownEmail) continue;
    const files = await repository.read(commit.id, job.paths.map(repositoryPath));
    if (!changesNothing(job, (path) => files.get(repositoryPath(path))?.content)) continue;
    const { id, author } = revert;
    return `written in ${commit.id.slice(0, 10)} and reverted by ${author} in ${id.slice(0, 10)}: not written again until there is a newer image`;
  }
  return undefined;
}

function changesNothing(job: WriteJob, read: (path: string) => string | undefined): boolean {
  try {
    return [...job.edit(read)].every(([path, content]) => read(path) === content);
  } catch {
    return false;
  }
}
