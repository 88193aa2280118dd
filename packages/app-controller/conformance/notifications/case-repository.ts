import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isObject, type JsonObject, listAt, objectAt, textAt } from '@fairlead/apimachinery';

const run = promisify(execFile);

/** Makes the repository of a case. Returns its URL and its commits. */
export async function createRepository(folder: string, repo: JsonObject): Promise<{ url: string; commits: string[] }> {
  await mkdir(folder, { recursive: true });
  const env = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const branch = textAt(repo, 'branch') || 'main';
  await run('git', ['init', '--bare', '-q', '-b', branch, folder], { env });
  const commits = listAt(repo, 'commits').filter(isObject);
  const stream = commits.map((commit, i) => commitText(commit, branch, i)).join('');
  const importing = run('git', ['fast-import', '--quiet'], { cwd: folder, env });
  importing.child.stdin?.end(stream);
  await importing;
  const { stdout } = await run('git', ['rev-list', '--reverse', branch], { cwd: folder, env });
  return { url: `file://${folder}`, commits: stdout.trim().split('\n') };
}

function commitText(commit: JsonObject, branch: string, index: number): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const date = textAt(commit, 'date');
  const zone = /([-+]\d\d):?(\d\d)$/u.exec(date);
  const when = `${Math.floor(Date.parse(date) / 1000)} ${zone ? `${zone[1]}${zone[2]}` : '+0000'}`;
  const files = Object.entries(objectAt(commit, 'files') ?? {}).map(
    ([path, text]) => `M 100644 inline ${path}\n${data(String(text))}`,
  );
  const author = textAt(commit, 'author');
  const tag = textAt(commit, 'tag');
  return [
    `commit refs/heads/${branch}\nmark :${index + 1}\n`,
    `author ${author} ${when}\ncommitter ${author} ${when}\n`,
    data(textAt(commit, 'message')),
    index > 0 ? `from :${index}\n` : '',
    ...files,
    tag === '' ? '' : `reset refs/tags/${tag}\nfrom :${index + 1}\n`,
  ].join('');
}
