import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Commit } from './api-case.ts';

const environment = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

/** A bare repository with the commits of a setup. */
export class Repository {
  readonly dir: string;
  readonly commits: string[] = [];

  constructor(dir: string) {
    this.dir = dir;
    mkdirSync(dir, { recursive: true });
    this.#git(['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  }

  push({ files, message = 'change', author = 'Dev <dev@example.com>', tag, branch = 'main' }: Commit): void {
    const number = this.commits.length;
    const at = Date.UTC(2024, 0, 2, 3, number, 5) / 1_000;
    const ref = `refs/heads/${branch}`;
    const hasRef = this.#git(['for-each-ref', '--format=%(refname)', 'refs/heads']).split('\n').includes(ref);
    const start = hasRef ? ref : number === 0 ? undefined : 'refs/heads/main';
    const stream = [
      `commit ${ref}\nmark :1\nauthor ${author} ${at} +0000\ncommitter Dev <dev@example.com> ${at} +0000\n`,
      data(message),
      start === undefined ? '' : `from ${start}^0\n`,
      ...Object.entries(files).map(([path, content]) =>
        content === null ? `D ${JSON.stringify(path)}\n` : `M 100644 inline ${JSON.stringify(path)}\n${data(content)}`,
      ),
      tag === undefined ? '' : `reset refs/tags/${tag}\nfrom :1\n`,
      'done\n',
    ].join('');
    this.#git(['fast-import', '--quiet', '--done'], stream);
    this.commits.push(this.#git(['rev-parse', ref]).trim());
  }

  #git(args: readonly string[], input?: string): string {
    return execFileSync('git', [...args], {
      cwd: this.dir,
      env: environment,
      encoding: 'utf8',
      ...(input ? { input } : {}),
    });
  }
}

const data = (content: string): string => `data ${Buffer.byteLength(content)}\n${content}\n`;
