/** `DIR/<topic>.json`: decisions of Argo CD's policy enforcer, its checks of policies and projects, and the tokens that it accepts. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type CommandCase, commandProblems } from './rbac/commands.ts';
import { decisionProblems } from './rbac/decisions.ts';
import { operationProblems } from './rbac/operations.ts';
import { projectProblems } from './rbac/project-validation.ts';
import type { RbacCase } from './rbac/rbac-case.ts';
import { tokenProblems } from './rbac/tokens.ts';

const topics: Readonly<
  Record<string, (one: RbacCase & CommandCase) => readonly string[] | Promise<readonly string[]>>
> = {
  cli: commandProblems,
  operations: operationProblems,
  'project-validation': projectProblems,
  tokens: tokenProblems,
};

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  for (const file of globSync(`${dir}/*.json`).sort()) {
    const group = basename(file, '.json').replace(/-\d+$/u, '');
    const cases: readonly (RbacCase & CommandCase)[] = JSON.parse(readFileSync(file, 'utf8'));
    for (const one of cases) {
      if (only && !`${group}/${one.name}`.includes(only)) continue;
      const problems = await (topics[group] ?? decisionProblems)(one);
      const passed = problems.length === 0;
      yield { group, name: one.name, passed, ...(passed ? {} : { detail: problems.slice(0, 10).join('\n') }) };
    }
  }
}
