import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface RefWatch {
  /** Whether the kernel reports changes at all: on some file systems, or with too many watches, it does not. */
  readonly works: boolean;
  stop(): void;
}

/**
 * Calls back soon after a ref of a local repository may have moved, without running git: the kernel reports writes to `refs`, `packed-refs`
 * and `HEAD`.
 */
export async function watchLocalRefs(repository: string, changed: () => void): Promise<RefWatch> {
  const dotGit = join(repository, '.git');
  const gitDir = (await stat(dotGit).catch(() => undefined))?.isDirectory() ? dotGit : repository;
  const watchers: FSWatcher[] = [];
  let pending: NodeJS.Immediate | undefined;
  const scheduleChanged = (): void => {
    // One commit touches several files; report them as one change.
    pending ??= setImmediate(() => {
      pending = undefined;
      changed();
    });
  };
  const add = (path: string, recursive: boolean): void => {
    try {
      const watcher = watch(path, { recursive, persistent: false }, scheduleChanged);
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // Nothing to watch, or no watches left on the machine: the poll finds the change.
    }
  };
  add(gitDir, false);
  add(join(gitDir, 'refs'), true);
  add(join(gitDir, 'reftable'), false);
  return {
    works: watchers.length > 1,
    stop() {
      clearImmediate(pending);
      for (const watcher of watchers) watcher.close();
    },
  };
}
