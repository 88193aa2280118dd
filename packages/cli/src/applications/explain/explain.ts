import type { Application } from '@fairlead/api';
import { nameOf } from '../selection/find-application.ts';
import { healthWord, isBusy, syncWord } from '../tables/status-text.ts';
import { deletion } from './deletion.ts';
import { notHealthy } from './health.ts';
import { lastFailure, running } from './operation.ts';
import { type Chapter, conditionsOf, type ExplainInput, reason, sentence } from './reason.ts';
import { sourceTrouble } from './source.ts';
import { notSynced } from './sync.ts';

/** How it is, in one sentence. */
export function headline(application: Application): string {
  const name = nameOf(application);
  if (application.metadata.deletionTimestamp) return `${name} is being deleted.`;
  const well = syncWord(application) === 'Synced' && healthWord(application) === 'Healthy';
  const busy = isBusy(application) ? ', and a sync is under way' : '';
  if (well && !busy) return `${name} is Synced and Healthy: the cluster is as the source says, and everything runs.`;
  return `${name} is ${syncWord(application)} and ${healthWord(application)}${busy}.`;
}

/** The chain of reasons: why it is not as it should be. Empty when all is well. */
export function explain(input: ExplainInput): Chapter[] {
  const { application } = input;
  if (input.overlooked !== undefined && application.status?.controllerNamespace === undefined)
    return [overlooked(input)];
  if (!application.status?.sync)
    return [
      {
        title: 'Why nothing is known',
        reasons: [reason('No controller has looked at it yet.')],
        next: ['see that the application controller runs: fairlead up, or its pod in the cluster'],
      },
    ];
  if (application.metadata.deletionTimestamp) return [deletion(input)];
  return [
    sourceTrouble(input),
    running(input),
    lastFailure(input),
    notSynced(input),
    notHealthy(input),
    notes(input),
  ].filter((chapter) => chapter !== undefined);
}

/** An Application of a namespace that the controller was not told of: nothing happens to it, and nothing says so but this. */
function overlooked({ application, overlooked: watched = '' }: ExplainInput): Chapter {
  const { namespace = '' } = application.metadata;
  const project = application.spec.project || 'default';
  return {
    title: 'Why nothing is known',
    reasons: [reason(`The controller looks at Applications of ${watched}, and this one is in ${namespace}.`)],
    next: [
      `make it there instead, or name ${namespace} under application.namespaces in ConfigMap argocd-cmd-params-cm and in spec.sourceNamespaces of AppProject ${project}`,
    ],
  };
}

/** What is worth knowing though nothing is broken by it. */
function notes(input: ExplainInput): Chapter | undefined {
  const warnings = conditionsOf(input, /Warning$/u);
  if (warnings.length === 0) return undefined;
  return { title: 'Worth knowing', reasons: warnings.map((text) => reason(sentence(text))), next: [] };
}
