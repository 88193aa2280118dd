import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '@fairlead/apimachinery';
import type { Scenario } from './case.ts';

const run = promisify(execFile);
/** Git as on a machine without configuration. */
const environment = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/** The repository of a scenario: its commits are pushed to the branch `main` one at a time. */
export class Repository {
  readonly url: string;
  /** The SHA of each commit that was pushed, by its number. */
  readonly commits = new Map<number, string>();
  readonly #dir: string;
  readonly #scenario: Pick<Scenario, 'tags' | 'branches'>;

  constructor(dir: string, scenario: Pick<Scenario, 'tags' | 'branches'>) {
    this.#dir = dir;
    this.url = `file://${dir}`;
    this.#scenario = scenario;
  }

  /** Commits these files as the commit with this number. The first makes the repository. */
  async push(number: number, files: Scenario['commits'][number]): Promise<void> {
    const { tags = {}, branches = {} } = this.#scenario;
    if (this.commits.size === 0) await this.#init();
    const refs = [
      ...Object.entries(tags).map(([name, at]) => [`refs/tags/${name}`, at] as const),
      ...Object.entries(branches).map(([name, at]) => [`refs/heads/${name}`, at] as const),
    ].filter(([, at]) => at === number);
    const stream: readonly (string | Buffer)[] = [
      'commit refs/heads/main\nmark :1\n',
      `committer Recorder <recorder@example.com> ${1_700_000_000 + number} +0000\n`,
      ...data(`commit ${number}`),
      this.commits.size > 0 ? 'from refs/heads/main^0\n' : '',
      ...Object.entries(files).flatMap(([path, content]) =>
        content === null ? [`D ${quote(path)}\n`] : [`M 100644 inline ${quote(path)}\n`, ...data(content)],
      ),
      ...refs.map(([ref]) => `reset ${ref}\nfrom :1\n`),
      'done\n',
    ];
    const input = Buffer.concat(stream.map((part) => Buffer.from(part)));
    await this.#import(input);
    this.commits.set(number, (await readFile(join(this.#dir, 'refs/heads/main'), 'utf8')).trim());
  }

  /** The same as `git init --bare`. Starting git is slow, so only the import runs it. */
  async #init(): Promise<void> {
    for (const folder of ['objects', 'refs']) await mkdir(join(this.#dir, folder), { recursive: true });
    await writeFile(join(this.#dir, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(this.#dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  }

  async #import(stream: Buffer): Promise<void> {
    // Without a limit, git starts another process to unpack small imports.
    const args = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet', '--done'];
    const running = run('git', args, { cwd: this.#dir, env: environment });
    running.child.stdin?.end(stream);
    try {
      await running;
    } catch (error) {
      throw new Error(`git fast-import: ${messageOf(error)}`);
    }
  }
}

const data = (content: string | Buffer): (string | Buffer)[] => [`data ${Buffer.byteLength(content)}\n`, content, '\n'];
const quote = (path: string): string => JSON.stringify(path);
