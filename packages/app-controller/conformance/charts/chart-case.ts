import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Application, Operation } from '@fairlead/api';
import type { JsonObject } from '@fairlead/apimachinery';
import type { Drift, Scenario, Step } from '../harness/case.ts';

/** An object that was left in the cluster, or whose fields were read after a sync. */
export interface ChartObject {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface LiveAfter {
  readonly target: ChartObject;
  readonly exists: boolean;
  /** JSON pointer to value. */
  readonly values?: JsonObject;
}

export interface ChartStep {
  readonly step: 'create' | 'sync' | 'syncPrune' | 'heal' | 'terminate' | 'hardRefresh' | 'drift' | 'commit' | 'delete';
  readonly operation?: Operation;
  readonly commit?: number;
  readonly patches?: readonly Drift[];
  readonly liveAfter?: readonly LiveAfter[];
  readonly result?: JsonObject;
  readonly gone?: boolean;
  readonly remaining?: readonly ChartObject[];
}

export interface ChartCase {
  readonly name: string;
  readonly group: string;
  readonly application: Application;
  readonly commits?: Scenario['commits'];
  readonly input?: {
    readonly chart?: string;
    readonly case?: string;
    readonly values?: readonly string[];
    readonly kustomization?: string;
  };
  readonly steps: readonly ChartStep[];
}

export interface ChartScenario extends Scenario {
  readonly recorded: ChartCase;
  readonly steps: readonly Step[];
}

/** `corpus` holds the folders that cases name as their input. */
export const scenarioOf = (recorded: ChartCase, corpus: string): ChartScenario => ({
  recorded,
  application: recorded.application,
  namespace: false,
  // A ReplicaSet that a quota has blocked retries after some time.
  progressMs: 20_000,
  commits: commitsOf(recorded, corpus),
  steps: recorded.steps.map((step, index) => stepOf(step, recorded.steps[index + 1])),
});

function stepOf(recorded: ChartStep, next: ChartStep | undefined): Step {
  const expect = recorded.result ?? {};
  const { step, operation = {}, patches = [], commit = 0 } = recorded;
  const running = next?.step === 'terminate';
  switch (step) {
    case 'create':
      return { do: 'create', refresh: false, expect };
    case 'sync':
    case 'syncPrune':
    case 'heal':
      return { do: 'sync', operation, running, expect };
    case 'terminate':
      return { do: 'terminate', expect };
    case 'hardRefresh':
      return { do: 'refresh', type: 'hard', refresh: false, expect };
    case 'drift':
      return { do: 'drift', patches, expect };
    case 'commit':
      return { do: 'commit', n: commit, expect };
    case 'delete':
      return { do: 'deleteApplication', cascade: 'default', deleting: recorded.gone === false, expect };
  }
}

function commitsOf({ commits, input = {} }: ChartCase, corpus: string): Scenario['commits'] {
  if (commits) return commits;
  if (input.kustomization) return [filesIn(join(corpus, input.kustomization), '')];
  const folder = join(corpus, input.case ?? '');
  const values = (input.values ?? []).map((file): [string, Buffer] => [
    `case/${file}`,
    readFileSync(join(folder, file)),
  ]);
  return [{ ...filesIn(join(corpus, input.chart ?? ''), 'chart/'), ...Object.fromEntries(values) }];
}

const filesIn = (folder: string, prefix: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [`${prefix}${path}`, readFileSync(join(folder, path))]),
  );

export const corpusOf = (dir: string): string => dirname(dir);
