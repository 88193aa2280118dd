import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@fairlead/apimachinery';
import { sleep, systemClock } from '@fairlead/kube';
import { readYaml } from '@fairlead/render/go-yaml';
import type { CliCase, CliStep } from './cli-case.ts';
import { normalizeOutput } from './cli-output.ts';
import { compareValues, type Difference } from './compare.ts';
import { withoutDifferences } from './difference-rules.ts';
import type { Installation } from './installation.ts';
import { withoutLeftOver } from './left-over-project.ts';
import { fillIn, nameAgain } from './placeholders.ts';
import { claimsOf, type StepProblem } from './run-case.ts';
import { withoutTextDifferences } from './text-differences.ts';

/** Longer than any command of the recordings. */
const commandMs = 90_000;

interface Output {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the commands of a case with the program `argocd`, and returns those whose output differs. */
export async function runCliCase(one: CliCase, installation: Installation, argocd: string): Promise<StepProblem[]> {
  const folder = mkdtempSync(join(tmpdir(), 'argocd-cli-'));
  const folders = { home: join(folder, 'home'), cwd: join(folder, 'cwd') };
  for (const dir of Object.values(folders)) mkdirSync(dir);
  const shell = new Shell(argocd, folders, installation);
  try {
    if (one.login !== undefined) await shell.signIn(one.login, one.grpcWeb ?? false);
    const problems: StepProblem[] = [];
    for (const [i, step] of withoutLeftOver(one.commands).entries()) {
      const differences = await shell.run(step, unorderedOf(one, i));
      if (differences.length > 0) problems.push({ step: i, what: (step.argv ?? []).join(' '), differences });
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const unorderedOf = ({ unordered = [] }: CliCase, step: number): ReadonlySet<string> => {
  const prefix = `/steps/${step}/expect`;
  return new Set(unordered.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length)));
};

class Shell {
  readonly #argocd: string;
  readonly #folders: { readonly home: string; readonly cwd: string };
  readonly #installation: Installation;

  constructor(argocd: string, folders: { home: string; cwd: string }, installation: Installation) {
    this.#argocd = argocd;
    this.#folders = folders;
    this.#installation = installation;
  }

  async signIn(account: string, grpcWeb: boolean): Promise<void> {
    const { values } = this.#installation;
    const password = this.#installation.passwordOf(account);
    const args = ['login', values.get('HOST') ?? '', '--plaintext', '--username', account, '--password', password];
    const { exit, stderr } = await this.#execute([...args, ...(grpcWeb ? ['--grpc-web'] : [])], {});
    if (exit !== 0) throw new Error(`argocd login as ${account}: ${stderr}`);
  }

  async run(step: CliStep, unordered: ReadonlySet<string>): Promise<Difference[]> {
    const { values } = this.#installation;
    if (step.push !== undefined && step.commit) await this.#installation.push(step.push, step.commit);
    if (!step.argv) return [];
    for (const [name, content] of Object.entries(step.files ?? {})) {
      const path = join(this.#folders.cwd, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, fillIn(content, values));
    }
    await this.#installation.quiet();
    const output = await this.#untilDone(step);
    if (step.capture !== undefined) values.set(step.capture, output.stdout.trim());
    const isVersion = step.argv[1] === 'version';
    return isVersion
      ? compareOutput(versionsMasked(step), this.#presented(output, maskVersions), unordered)
      : compareOutput(step, this.#presented(output), unordered);
  }

  async #untilDone(step: CliStep): Promise<Output> {
    const args = fillIn((step.argv ?? []).slice(1), this.#installation.values);
    const deadline = Date.now() + 20_000;
    for (;;) {
      const output = await this.#execute(args, step);
      if (step.untilOut === undefined || Date.now() > deadline) return output;
      if (new RegExp(step.untilOut, 'u').test(output.stdout)) return output;
      await sleep(systemClock, 300);
    }
  }

  #execute(args: readonly string[], { stdin = '', env = {} }: CliStep): Promise<Output> {
    const { home, cwd } = this.#folders;
    return new Promise((resolve, reject) => {
      const child = spawn(this.#argocd, [...args], {
        cwd,
        env: { PATH: process.env['PATH'], HOME: home, ...fillIn(env, this.#installation.values) },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), commandMs);
      const texts = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()));
      child.stdin.on('error', () => {});
      child.stdin.end(stdin);
      child.on('error', reject);
      child.on('close', (exit) => {
        clearTimeout(timer);
        resolve({ exit, ...texts });
      });
    });
  }

  /** The output with names instead of the values of this run. */
  #presented(output: Output, change = (text: string): string => text): Presented {
    const text = (value: string): string => String(this.#named(normalizeOutput(value, this.#folders)));
    const parsed = parseJson(output.stdout) ?? parseYaml(output.stdout);
    return {
      exit: output.exit,
      stdout: change(text(output.stdout)),
      stderr: text(output.stderr),
      value: parsed === undefined ? undefined : this.#named(parsed),
    };
  }

  /** Tokens that were captured are masked anyway. */
  #named(value: Json): Json {
    const names = new Map([...this.#installation.values].filter(([name]) => !/^TOK/u.test(name)));
    return nameAgain(value, names);
  }
}

interface Presented extends Output {
  /** Of an output in JSON or YAML. */
  readonly value: Json | undefined;
}

function compareOutput({ expect = {} }: CliStep, output: Presented, unordered: ReadonlySet<string>): Difference[] {
  const differences: Difference[] = [];
  const add = (path: string, expected: Json, actual: Json | undefined): void => {
    differences.push(...compareValues(expected, actual, unordered, path));
  };
  if (expect.exit !== undefined) add('/exit', expect.exit, output.exit);
  for (const name of ['stdout', 'stderr'] as const) {
    const text = expect[name];
    if (text === undefined) continue;
    const shown = (value: string): string => {
      const common = withoutTextDifferences(value);
      return unordered.has(`/${name}`) ? inOrder(common) : common;
    };
    add(`/${name}`, shown(text), shown(output[name]));
  }
  for (const name of ['stdoutJson', 'stdoutYaml'] as const) {
    const value = expect[name];
    if (value !== undefined)
      add(`/${name}`, withoutDifferences(value), withoutDifferences(output.value ?? output.stdout));
  }
  for (const claims of Object.values(expect.claims ?? {})) add('/claims', claims, claimsOf(output.stdout.trim()));
  return differences.map((one) => ({ ...one, isWording: one.isWording || isErrorWording(one) }));
}

/** Versions are those of the recorded build: only that they are there counts. */
const maskVersions = (text: string): string => text.replace(/^(\s*[\w -]+:).*$/gmu, '$1 <value>');

function versionsMasked(step: CliStep): CliStep {
  const { stdout, stdoutJson, stdoutYaml, ...rest } = step.expect ?? {};
  const present = (value: Json): Json =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, present(item)])) : '<value>';
  return {
    ...step,
    expect: {
      ...rest,
      ...(stdout === undefined ? {} : { stdout: maskVersions(stdout) }),
      ...(stdoutJson === undefined ? {} : { stdoutJson: present(stdoutJson) }),
      ...(stdoutYaml === undefined ? {} : { stdoutYaml: present(stdoutYaml) }),
    },
  };
}

const inOrder = (text: string): string => text.split('\n').sort().join('\n');

/** Errors of the same level and code, in other words. */
function isErrorWording({ path, expected, actual }: Difference): boolean {
  if (path !== '/stderr') return false;
  const [was, is] = [logLines(expected), logLines(actual)];
  return was.length > 0 && was.length === is.length && was.every((line, i) => line === is[i]);
}

function logLines(text: Json | undefined): string[] {
  return String(text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const entry = parseJson(line);
      const { level = '', msg = '' }: JsonObject = isObject(entry) ? entry : {};
      const [, code = ''] = /rpc error: code = (\w+)/u.exec(String(msg)) ?? [];
      return code === '' ? line : `${level} ${code}`;
    });
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseYaml(text: string): Json | undefined {
  try {
    return JSON.parse(JSON.stringify(readYaml(text)));
  } catch {
    return undefined;
  }
}
