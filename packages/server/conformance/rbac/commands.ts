import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caller } from '@fairlead/cli/testing';

export interface CommandCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly expected: {
    readonly exit: number;
    readonly stdout?: string;
    readonly log?: readonly { readonly level: string; readonly msg: string }[];
    readonly crash?: true;
  };
}

/** Runs `fairlead rbac …` with the arguments of `argocd admin settings rbac …`. */
export async function commandProblems({ args, files, expected }: CommandCase): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rbac-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const at = args.indexOf('--policy-file') + 1;
    const words = args.map((word, i) => (at > 0 && i === at ? join(folder, word) : word));
    const { code, stdout, stderr } = await caller(() => ({}))('rbac', ...words);
    const said = stderr.replaceAll(`${folder}/`, '');
    return differences(expected, code, stdout, said).map((text) => `${text}\nexit ${code}\n${stdout}${said}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function differences(
  { exit, stdout, log = [], crash }: CommandCase['expected'],
  code: number,
  out: string,
  err: string,
): string[] {
  // A clear error is better than a crash, and a usage error names the help page instead of printing it.
  if (crash || stdout === '<help>') return code === 1 && err !== '' ? [] : ['no error was printed'];
  // The original prints <nil> in place of the error.
  const reported =
    stdout === 'Policy is invalid: <nil>\n' ? out.startsWith('Policy is invalid: policy syntax error') : out === stdout;
  return [
    ...(code === exit ? [] : [`exit code: theirs ${exit}`]),
    ...(reported ? [] : [`stdout: theirs ${stdout}`]),
    ...log.filter(({ msg }) => !err.includes(msg)).map(({ msg }) => `stderr: theirs ${msg}`),
  ];
}
