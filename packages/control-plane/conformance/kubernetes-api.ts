import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type Case, replay } from './api/replay.ts';
import { openTarget } from './target.ts';

/** Replays recorded conversations with a real kube-apiserver. The semantic comparison decides; exact matches are counted too. */
export async function* suite({ dir, only, kubeconfig }: SuiteOptions): AsyncGenerator<CaseResult> {
  const target = await openTarget(kubeconfig, { token: 'tok', serviceAccountAdmission: false });
  let number = 0;
  try {
    for (const file of readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .sort()) {
      for (const test of JSON.parse(readFileSync(join(dir, file), 'utf8')) as Case[]) {
        number += 1;
        if (only && !`${test.topic}/${test.name}`.includes(only)) continue;
        const { sense, exact, detail } = await replay(target, test, number);
        yield { name: test.name, group: test.topic, passed: sense, exact, ...(detail ? { detail } : {}) };
      }
    }
  } finally {
    await target.close();
  }
}
