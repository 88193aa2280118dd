/**
 * What Argo CD reports for real charts, kustomizations and manifests: `DIR/{helm,kustomize,shapes}/*.json`, each an Application with what was
 * recorded after it was created, synced, changed by others, healed and deleted. Charts and kustomizations are read from the folders beside
 * DIR. The real controller runs them on the embedded control plane, or on the cluster of `--kubeconfig`.
 */
import { globSync, readFileSync } from 'node:fs';
import { elementAt, toJson } from '@fairlead/apimachinery';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import { type ChartCase, corpusOf, scenarioOf } from './charts/chart-case.ts';
import { chartObservation, recordedResult } from './charts/observe-chart.ts';
import { compareObservations, describeDifferences } from './harness/compare.ts';
import { stuckResources, withDifferenceRules } from './harness/difference-rules.ts';
import { runAll, type StepResult } from './harness/run-scenarios.ts';

/** Cases that differ on purpose and by no rule, with the reason. */
const knownDifferences: ReadonlyMap<string, string> = new Map([
  ['helm/ingress-nginx__default', 'the recording ended the second sync after 12 s, while its PreSync hooks ran'],
  ['shapes/namespace-per-team', 'the recording shows a pruned namespace during the seconds of its deletion'],
]);

export async function* suite({ dir, only, every = 1, kubeconfig }: SuiteOptions): AsyncIterable<CaseResult> {
  const scenarios = globSync(`${dir}/*/*.json`)
    .sort()
    .filter((_, index) => index % every === 0)
    .map((file) => JSON.parse(inOtherWords(readFileSync(file, 'utf8'))) as ChartCase)
    .filter(({ name }) => !only || name.includes(only))
    .map((recorded) => scenarioOf(recorded, corpusOf(dir)));
  const program = new URL('./charts/chart-process.ts', import.meta.url);
  const options = { kubeconfig, program, observation: chartObservation, atATime: 1 };
  for await (const { scenario, results, problem } of runAll(scenarios, options)) {
    yield assess(scenario.recorded, results, problem);
  }
}

function assess({ name, steps }: ChartCase, results: readonly StepResult[], problem: string | undefined): CaseResult {
  const [group = '', ...rest] = name.split('/');
  const stuck = stuckResources(steps.flatMap(({ step, result }) => (result && syncs.has(step) ? [result] : [])));
  const lines = results.flatMap(({ index, observed }) => {
    const { step, result, liveAfter, gone, remaining } = elementAt(steps, index);
    const recorded = result ? recordedResult(result) : { gone: gone ?? true, remaining: toJson(remaining ?? []) };
    const expected = withDifferenceRules(
      { ...recorded, ...(liveAfter ? { liveAfter: toJson(liveAfter) } : {}) },
      observed,
      stuck,
    );
    const differences = compareObservations(expected, observed, lists);
    return differences.length === 0 ? [] : [`step ${index} ${step}`, ...describeDifferences(differences)];
  });
  if (problem) lines.push(problem);
  const reported = { name: rest.join('/'), group };
  const difference = knownDifferences.get(name);
  if (lines.length > 0 && difference) return { ...reported, passed: false, skipped: `differs: ${difference}` };
  return { ...reported, passed: lines.length === 0, ...(lines.length > 0 ? { detail: lines.join('\n') } : {}) };
}

/** The recording with the placeholders of the other suite. */
const inOtherWords = (text: string): string =>
  text
    .replaceAll('$VARIES', '$UNSTABLE')
    .replaceAll('$PATH', '$TMP')
    .replaceAll(/(failing or missing response from https:[^\s"]+: )(?:[^"\\]|\\.)*/gu, '$1$UNSTABLE')
    .replaceAll('Manifest generation error (cached): ', '');

const syncs = new Set(['sync', 'syncPrune', 'heal']);

/** The lists of the recording are sorted by the names in that run. */
const lists = new Set(['resources', 'operationState/syncResult/resources', 'remaining']);
