/** `DIR/expected/<case>/{case.json, out.yaml}` and `DIR/inputs/<case>/…`: the exact output of kustomize, or that it fails. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type KustomizeOptions, kustomizeYaml } from '../src/kustomize/index.ts';
import { folderTree } from './folder-tree.ts';

interface Case {
  readonly dir: string;
  readonly args: readonly string[];
  readonly ok: boolean;
  readonly source: string;
}

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  for (const name of readdirSync(join(dir, 'expected')).sort()) {
    const folder = join(dir, 'expected', name);
    if (!existsSync(join(folder, 'case.json'))) continue;
    const theCase = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as Case;
    const group = theCase.source;
    if (only && !`${group}/${name}`.includes(only)) continue;
    yield { group, name, ...(await check(theCase, join(dir, 'inputs', name), folder)) };
  }
}

async function check(
  { dir, args, ok }: Case,
  inputs: string,
  expected: string,
): Promise<Pick<CaseResult, 'passed' | 'detail'>> {
  let ours: string;
  try {
    ours = await kustomizeYaml(folderTree(inputs), dir === '.' ? '' : dir, optionsOf(args));
  } catch (error) {
    return ok ? { passed: false, detail: (error as Error).stack ?? String(error) } : { passed: true };
  }
  if (!ok) return { passed: false, detail: 'should fail' };
  const theirs = readFileSync(join(expected, 'out.yaml'), 'utf8');
  return ours === theirs ? { passed: true } : { passed: false, detail: firstDifference(ours, theirs) };
}

function optionsOf(args: readonly string[]): KustomizeOptions {
  const value = (flag: string): string | undefined => {
    const at = args.indexOf(flag);
    return at < 0 ? args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1) : args[at + 1];
  };
  return {
    ...(value('--load-restrictor') === 'LoadRestrictionsNone' ? { loadRestrictor: 'none' } : {}),
    ...(value('--reorder') === 'none' ? { reorder: 'none' } : {}),
  };
}

function firstDifference(ours: string, theirs: string): string {
  const [a, b] = [ours.split('\n'), theirs.split('\n')];
  const at = a.findIndex((line, i) => line !== b[i]);
  const from = Math.max(0, (at < 0 ? a.length : at) - 4);
  const part = (lines: readonly string[]): string => lines.slice(from, from + 12).join('\n');
  return `from line ${from + 1}\n--- ours\n${part(a)}\n--- theirs\n${part(b)}`;
}
