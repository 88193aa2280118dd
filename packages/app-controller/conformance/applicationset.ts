/**
 * `DIR/*.json`: what Argo CD's ApplicationSet controller makes of ApplicationSets (see the README there). Each case runs the controller on an
 * embedded control plane, with a real Git repository and a server that answers as the recorded forge did.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf } from '@fairlead/apimachinery';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type Environment, openEnvironment } from './applicationset/environment.ts';
import type { RecordedCase } from './applicationset/recorded-case.ts';
import { runCase } from './applicationset/run-case.ts';

export async function* suite({ dir, only, every }: SuiteOptions): AsyncIterable<CaseResult> {
  const cases = globSync(`${dir}/*.json`)
    .sort()
    .flatMap((file) => {
      const group = basename(file, '.json').replace(/-\d+$/u, '');
      return (JSON.parse(readFileSync(file, 'utf8')) as RecordedCase[]).map((one) => ({ group, one }));
    })
    .filter(({ group, one }) => !only || `${group}/${one.name}`.includes(only))
    .filter((_, i) => !every || i % every === 0);
  if (cases.length === 0) return;
  const environment = await openEnvironment();
  try {
    for (const { group, one } of cases) yield { group, name: one.name, ...(await attempt(environment, one)) };
  } finally {
    await environment.close();
  }
}

async function attempt(environment: Environment, one: RecordedCase): Promise<Pick<CaseResult, 'passed' | 'detail'>> {
  try {
    const differences = await runCase(environment, one);
    return differences.length === 0 ? { passed: true } : { passed: false, detail: differences.join('\n') };
  } catch (error) {
    return { passed: false, detail: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) };
  }
}
