import type { HydrationCommit, HydrationWriter } from '@fairlead/app-controller';
import { type FileAtCommit, WriteRepositories } from '@fairlead/images';
import { type Clock, type Random, sleep } from '@fairlead/kube';
import type { Trust } from '@fairlead/source';

export interface HydrationWriterOptions {
  readonly dir: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trust: Trust;
  readonly allowLocal: boolean;
}

const maxTries = 8;

/** Commits hydrated manifests with the copies of repositories that the image updater also uses: no checkout is made. */
export function createHydrationWriter(options: HydrationWriterOptions): HydrationWriter & { close(): void } {
  const { clock, random } = options;
  const repositories = new WriteRepositories(options);
  return {
    write(commit) {
      const repository = repositories.open(commit.repository, commit.credentials);
      return repository.inTurn(async () => {
        for (let tries = 1; ; tries++) {
          const own = await repository.fetch(commit.branch);
          const parent = own ?? (commit.base === commit.branch ? undefined : await repository.fetch(commit.base));
          const present =
            parent === undefined ? new Map<string, FileAtCommit>() : await repository.read(parent, commit.paths);
          const files = commit.files((path) => present.get(path)?.content);
          if (!files && own !== undefined) return own;
          const made = await repository.commit(parent, filesOf(files), settingsOf(commit, clock));
          if (await repository.push(made, commit.branch, own)) return made;
          if (tries >= maxTries) {
            throw new Error(
              `${commit.repository}: the branch ${commit.branch} was changed by concurrent pushes ${tries} times`,
            );
          }
          await sleep(clock, 50 * 2 ** Math.min(tries, 5) * (0.5 + random()));
        }
      });
    },
    close: () => repositories.close(),
  };
}

const filesOf = (files: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, FileAtCommit> =>
  new Map(Array.from(files, ([path, content]) => [path, { content, mode: '100644' }]));

const settingsOf = ({ message, author }: HydrationCommit, clock: Clock) => ({
  message: `${message.trim()}\n`,
  identity: author,
  at: clock.now() / 1000,
});
