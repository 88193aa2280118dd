import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, listAt, objectAt, stringsAt, textAt } from '@fairlead/apimachinery';

const program = new URL('../../../cli/bin/fairlead.js', import.meta.url).pathname;

interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `cli.json`: `fairlead notifications ARGS` in a folder with the files of the case. */
export async function cliDifferences(one: JsonObject): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'notifications-cli-'));
  for (const [name, text] of Object.entries(stringsAt(one, 'files'))) await writeFile(join(folder, name), text);
  const outcome = await runProgram(listAt(one, 'args').map(String), folder);
  await rm(folder, { recursive: true, force: true });
  const expected = objectAt(one, 'expected') ?? {};
  const fits = isFailure(expected)
    ? failsAsExpected(expected, outcome)
    : outcome.exit === 0 && sameText(outcome.stdout, expected);
  return fits ? [] : [`expected ${JSON.stringify(expected)}, got ${JSON.stringify(outcome)}`];
}

/** The original prints most of its errors and ends with 0. */
const isFailure = (expected: JsonObject): boolean => expected.exit !== 0 || textAt(expected, 'stderr') !== '';

/** Here an error ends with 1, except that an invalid part of the configuration is reported and the rest works. */
function failsAsExpected(expected: JsonObject, { exit, stderr }: Outcome): boolean {
  const isPartial = textAt(expected, 'stderr').startsWith('failed to get api: errors getting apis');
  return stderr.trim() !== '' && (exit !== 0 || (isPartial && stderr.includes('invalid:')));
}

/** Columns may be wider apart. */
const sameText = (stdout: string, expected: JsonObject): boolean =>
  collapsed(stdout) === collapsed(textAt(expected, 'stdout'));
const collapsed = (text: string): string => (/^[A-Z]+ {2}/u.test(text) ? text.replaceAll(/ {2,}/gu, '  ') : text);

function runProgram(args: readonly string[], cwd: string): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], HOME: cwd, KUBECONFIG: join(cwd, 'none') };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'notifications', ...args], { cwd, env }, (error, stdout, stderr) => {
      resolve({ exit: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}
