/** `DIR/<group>/<Kind>/health_test.yaml` lists inputs and the health that Argo CD returns; status and message must be equal. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { KubeObject } from '@fairlead/apimachinery';
import { readYaml } from '@fairlead/render/go-yaml';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { healthOfKind } from '../src/health/assess-health.ts';

/** Go matches field names case-insensitively, and the cases rely on it. */
interface Case {
  readonly inputPath?: string;
  readonly inputpath?: string;
  readonly healthStatus: { readonly status: string; readonly message?: string };
}

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  for (const file of globSync(`${dir}/**/health_test.yaml`).sort()) {
    const group = relative(dir, dirname(file));
    const { tests } = readYaml(readFileSync(file, 'utf8')) as { tests: readonly Case[] };
    for (const { inputpath = '', inputPath = inputpath, healthStatus } of tests) {
      if (only && !`${group}/${inputPath}`.includes(only)) continue;
      const ours = describe(assess(join(dirname(file), inputPath)));
      const theirs = describe(healthStatus);
      const passed = ours === theirs;
      yield { group, name: inputPath, passed, ...(passed ? {} : { detail: `ours   ${ours}\ntheirs ${theirs}` }) };
    }
  }
}

const describe = ({ status, message }: { status: string; message?: string }): string => `${status}: ${message ?? ''}`;

function assess(file: string): { status: string; message?: string } {
  try {
    const object = readYaml(readFileSync(file, 'utf8')) as KubeObject;
    return healthOfKind(object) ?? { status: 'none' };
  } catch (error) {
    return { status: 'error', message: (error as Error).message };
  }
}
