import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type GitServer, startGitServer } from '@fairlead/source/git-server';

const run = promisify(execFile);

/** Bare repositories on loopback with a work tree each. Commits do not block this process. */
export class GitHost {
  readonly #root: string;
  readonly #server: GitServer;
  /** The last commit to each repository: one at a time. */
  readonly #last = new Map<string, Promise<void>>();

  private constructor(root: string, server: GitServer) {
    this.#root = root;
    this.#server = server;
  }

  static async start(root: string, repositories: readonly string[]): Promise<GitHost> {
    const bare = join(root, 'bare');
    await mkdir(bare, { recursive: true });
    const host = new GitHost(root, await startGitServer({ root: bare, environment: process.env }));
    for (const name of repositories) {
      await run('git', ['init', '-q', '--bare', '--initial-branch=main', join(bare, `${name}.git`)]);
      await run('git', ['-C', join(bare, `${name}.git`), 'config', 'http.receivepack', 'true']);
      await run('git', ['init', '-q', '--initial-branch=main', host.#tree(name)]);
      await host.#git(name, 'remote', 'add', 'origin', join(bare, `${name}.git`));
    }
    return host;
  }

  url(repository: string): string {
    return `${this.#server.url}/${repository}.git`;
  }

  /** Replaces the folders and pushes. What others have pushed in the meantime stays. */
  commit(repository: string, folders: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<void> {
    const next = (this.#last.get(repository) ?? Promise.resolve()).then(async () => {
      // A commit that an earlier attempt made and could not push is dropped: its caller does not expect it to be deployed.
      if ((await this.head(repository)) !== '') {
        await this.#git(repository, 'fetch', '-q', 'origin', 'main');
        await this.#git(repository, 'reset', '-q', '--hard', 'FETCH_HEAD');
      }
      for (const [folder, files] of Object.entries(folders)) await this.#write(repository, folder, files);
      await this.#git(repository, 'add', '-A');
      await this.#git(repository, 'commit', '-q', '--allow-empty', '-m', `change ${Object.keys(folders).join(', ')}`);
      await this.#git(repository, 'push', '-q', 'origin', 'HEAD:main');
    });
    this.#last.set(
      repository,
      next.catch(() => {}),
    );
    return next;
  }

  /** The commit that the branch `main` names. */
  async head(repository: string): Promise<string> {
    const [commit = ''] = (await this.#git(repository, 'ls-remote', 'origin', 'main')).split('\t');
    return commit;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #write(repository: string, folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    const root = join(this.#tree(repository), folder);
    await rm(root, { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  }

  async #git(repository: string, ...args: string[]): Promise<string> {
    const identity = ['-c', 'user.name=soak', '-c', 'user.email=soak@example.com', '-c', 'gc.auto=0'];
    return (await run('git', ['-C', this.#tree(repository), ...identity, ...args])).stdout.trim();
  }

  #tree(repository: string): string {
    return join(this.#root, 'work', repository);
  }
}
