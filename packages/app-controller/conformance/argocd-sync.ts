/**
 * How Argo CD compares and syncs: `DIR/*.json`, each a list of scenarios recorded from Argo CD on a real cluster, with what was observed
 * after each step. The real controller runs them on the embedded control plane, or on the cluster of `--kubeconfig`.
 */
import { globSync, readFileSync } from 'node:fs';
import type { CaseResult, SuiteOptions } from '../../../scripts/conformance.ts';
import type { SyncCase } from './harness/case.ts';
import { compareObservations, type Difference, describeDifferences } from './harness/compare.ts';
import { stuckResources, withDifferenceRules } from './harness/difference-rules.ts';
import { maskTemplateHashes } from './harness/placeholders.ts';
import { runAll, type StepResult } from './harness/run-scenarios.ts';

/** Cases that differ on purpose and by no rule, with the reason. */
const knownDifferences: ReadonlyMap<string, string> = new Map([
  ['health/app-of-apps', 'Argo CD rewrites the spec of the child, by which its parent is OutOfSync once'],
  ['errors/bad-jsonnet', 'the message has the file, line and column of the error instead of the stack of go-jsonnet'],
  ...['real-world/shop-40-objects', 'real-world/shop-automated'].map(
    (name) => [name, 'without a delay between waves, a PodDisruptionBudget is seen before its pods are ready'] as const,
  ),
]);

export async function* suite({ dir, only, every = 1, kubeconfig }: SuiteOptions): AsyncIterable<CaseResult> {
  const cases = globSync(`${dir}/*.json`)
    .sort()
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as SyncCase[])
    .filter(({ topic, name }, index) => index % every === 0 && (!only || `${topic}/${name}`.includes(only)));
  for await (const { scenario, results, problem } of runAll(cases, { kubeconfig })) {
    yield assess(scenario, results, problem);
  }
}

function assess(scenario: SyncCase, results: readonly StepResult[], problem: string | undefined): CaseResult {
  const { topic, name } = scenario;
  const lines = results.flatMap(({ index, observed }) => {
    const differences = differencesOf(scenario, index, observed);
    const { do: action } = scenario.steps[index]!;
    return differences.length === 0 ? [] : [`step ${index} ${action}`, ...describeDifferences(differences)];
  });
  if (problem) lines.push(problem);
  const difference = knownDifferences.get(`${topic}/${name}`);
  if (lines.length > 0 && difference) return { name, group: topic, passed: false, skipped: `differs: ${difference}` };
  return { name, group: topic, passed: lines.length === 0, ...(lines.length > 0 ? { detail: lines.join('\n') } : {}) };
}

function differencesOf(
  { steps, unordered = [] }: SyncCase,
  index: number,
  observed: StepResult['observed'],
): Difference[] {
  const syncs = steps.filter((step) => step.do === 'sync').map((step) => step.expect);
  const stuck = stuckResources(syncs);
  const prefix = `/steps/${index}/expect/`;
  const lists = unordered.flatMap((pointer) => (pointer.startsWith(prefix) ? [pointer.slice(prefix.length)] : []));
  const actual = maskTemplateHashes(observed);
  const expected = withDifferenceRules(maskTemplateHashes(steps[index]!.expect), actual, stuck);
  return compareObservations(expected, actual, new Set(lists));
}
