import type { WriteJob } from './git-writer.ts';
import { repositoryPath } from './repository-path.ts';
import type { PastCommit, WriteRepository } from './write-repository.ts';

/**
 * Whether a change was reverted by a user: an earlier commit of ours already had the files that the job would write, and a later commit of
 * someone else has changed them. This is read from the repository, so a restart loses nothing. A version that we never wrote is not
 * blocked: newer images are written.
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
