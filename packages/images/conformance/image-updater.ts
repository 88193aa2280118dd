/**
 * The image updater's data suite: `DIR/*.json`, each a list of cases `{name, input, expected, branch?}`. A case with a `branch` records
 * older behaviour and is skipped. Only the fields in `expected` are compared.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { annotationOps } from './ops/annotations.ts';
import { applicationOps } from './ops/applications.ts';
import type { Fields, Ops } from './ops/case.ts';
import { credentialOps } from './ops/credentials.ts';
import { problemsWith } from './ops/expect.ts';
import { helmOps } from './ops/helm.ts';
import { kustomizeOps } from './ops/kustomize.ts';
import { referenceOps } from './ops/references.ts';
import { registryOps } from './ops/registries.ts';
import { tagOps } from './ops/tags.ts';
import { templateOps } from './ops/templates.ts';
import { webhookOps } from './ops/webhooks.ts';

const files: Readonly<Record<string, Ops>> = {
  'tag-selection': tagOps,
  'image-references': referenceOps,
  annotations: annotationOps,
  credentials: credentialOps,
  'helm-writeback': helmOps,
  'kustomize-writeback': kustomizeOps,
  templates: templateOps,
  webhooks: webhookOps,
  'registries-conf': registryOps,
  'app-decisions': applicationOps,
};

interface Case {
  readonly name: string;
  readonly input: Fields & { readonly op: string };
  readonly expected: Fields;
  readonly branch?: string;
}

export async function* suite({ dir, only }: SuiteOptions): AsyncIterable<CaseResult> {
  for (const file of globSync(`${dir}/*.json`).sort()) {
    const group = basename(file, '.json');
    const ops = files[group];
    if (!ops) continue;
    for (const { name, input, expected, branch } of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
      if (branch !== undefined || (only && !`${group}/${name}`.includes(only))) continue;
      const problems = await outcome(ops, input, expected);
      yield {
        group,
        name,
        passed: problems.length === 0,
        ...(problems.length > 0 ? { detail: problems.join('\n') } : {}),
      };
    }
  }
}

async function outcome(ops: Ops, input: Case['input'], expected: Fields): Promise<string[]> {
  const op = ops[input.op];
  if (!op) return [`the suite has no ${input.op}`];
  try {
    return problemsWith(await op(input), expected);
  } catch (error) {
    if (expected['error'] === true) return problemsWith({ error: true, ...partial(error) }, expected);
    return [String(error instanceof Error ? error.stack : error)];
  }
}

/** An error may contain the values at the time it was thrown. */
const partial = (error: unknown): Fields =>
  typeof error === 'object' && error !== null && 'result' in error ? (error.result as Fields) : {};
