/**
 * For every chart, kustomization and folder of manifests in DIR: sync, then refresh twice without any difference, then a minute of self-heal without a sync. Each
 * runs with client-side apply and, as `NAME+ssa`, with server-side apply.
 */
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { startWorkers } from './harness/controller.ts';
import { inOrder } from './harness/in-order.ts';
import { Processes } from './harness/processes.ts';
import type { CaseRequest } from './stable-sync/case-process.ts';
import { casesIn, type StableCase } from './stable-sync/cases.ts';
import type { Outcome } from './stable-sync/check.ts';
import { runCase } from './stable-sync/run-case.ts';

type Chosen = readonly (readonly [index: number, theCase: StableCase])[];

export async function* suite({ dir, only, every = 1, kubeconfig }: SuiteOptions): AsyncIterable<CaseResult> {
  const chosen = [...casesIn(dir).entries()].filter(
    ([index, { group, name }]) => index % every === 0 && (!only || `${group}/${name}`.includes(only)),
  );
  yield* kubeconfig ? onOneCluster(chosen, kubeconfig) : onOwnClusters(chosen, dir);
}

async function* onOwnClusters(chosen: Chosen, dir: string): AsyncIterable<CaseResult> {
  const processes = new Processes<CaseRequest, Outcome>(new URL('./stable-sync/case-process.ts', import.meta.url));
  try {
    yield* inOrder(chosen, processes.capacity, async ([index, { group, name }]) => ({
      group,
      name,
      ...(await processes.run({ dir, index })),
    }));
  } finally {
    processes.close();
  }
}

/** One at a time: applications have the same kinds and cluster-scoped names. */
async function* onOneCluster(chosen: Chosen, kubeconfig: string): AsyncIterable<CaseResult> {
  const workers = startWorkers();
  for (const [, theCase] of chosen) {
    yield { group: theCase.group, name: theCase.name, ...(await runCase(theCase, workers, kubeconfig)) };
  }
  await workers.close();
}
