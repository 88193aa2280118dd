import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A repository with a work tree, for tests to commit in. */
export class WorkRepository {
  readonly path: string;

  constructor(path: string, { partial = true }: { partial?: boolean } = {}) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    // Large Git hosts allow this; a plain server needs the setting.
    if (partial) this.git('config', 'uploadpack.allowFilter', 'true');
  }

  git(...args: string[]): string {
    return this.#run(args);
  }

  commit(files: Record<string, string | Uint8Array>, message = 'a change'): string {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true });
      writeFileSync(join(this.path, path), content);
    }
    this.git('add', '-A');
    this.git('commit', '-qm', message, '--allow-empty');
    return this.git('rev-parse', 'HEAD');
  }

  /** The fastest way to create very many files or refs. */
  fastImport(stream: string): void {
    this.#run(['fast-import', '--quiet', '--force'], stream);
  }

  #run(args: string[], input?: string): string {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', [...identity, ...args], {
      cwd: this.path,
      encoding: 'utf8',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
      maxBuffer: 256 * 1024 * 1024,
    }).trim();
  }
}
