import type { Application } from '@fairlead/api';
import { healthWord, isBusy, nameOf, syncWord } from './application-text.ts';
import { deletion } from './deletion.ts';
import { notHealthy } from './health.ts';
import { hydration } from './hydration.ts';
import { lastFailure, running } from './operation.ts';
import { type Chapter, conditionsOf, type ExplainInput, reason, sentence } from './reason.ts';
import { sourceTrouble } from './source.ts';
import { notSynced } from './sync.ts';

/** The status in one sentence. */
export function headline(application: Application): string {
  const name = nameOf(application);
  if (application.metadata.deletionTimestamp) return `${name} is being deleted.`;
  const well = syncWord(application) === 'Synced' && healthWord(application) === 'Healthy';
  const busy = isBusy(application) ? ', and a sync is running' : '';
  if (well && !busy) return `${name} is Synced and Healthy: the live state matches the source.`;
  return `${name} is ${syncWord(application)} and ${healthWord(application)}${busy}.`;
}

/** The chain of reasons for each problem. Empty if there is none. */
export function explain(input: ExplainInput): Chapter[] {
  const { application } = input;
  if (input.overlooked !== undefined && application.status?.controllerNamespace === undefined)
    return [overlooked(input)];
  if (!application.status?.sync)
    return [
      {
        title: 'Why it has no status',
        reasons: [reason('No controller has reconciled it yet.')],
        next: ['check that the application controller runs: fairlead up, or its pod in the cluster'],
      },
    ];
  if (application.metadata.deletionTimestamp) return [deletion(input)];
  return [
    sourceTrouble(input),
    hydration(input),
    running(input),
    lastFailure(input),
    notSynced(input),
    notHealthy(input),
    notes(input),
  ].filter((chapter) => chapter !== undefined);
}

/** An Application in a namespace that the controller does not watch has no status at all. */
function overlooked({ application, overlooked: watched = '' }: ExplainInput): Chapter {
  const { namespace = '' } = application.metadata;
  const project = application.spec.project || 'default';
  return {
    title: 'Why it has no status',
    reasons: [reason(`The controller watches Applications in ${watched}, and this one is in ${namespace}.`)],
    next: [
      `create it there instead, or add ${namespace} to application.namespaces in ConfigMap argocd-cmd-params-cm and to spec.sourceNamespaces of AppProject ${project}`,
    ],
  };
}

/** Warnings that do not break anything. */
function notes(input: ExplainInput): Chapter | undefined {
  const warnings = conditionsOf(input, /Warning$/u);
  if (warnings.length === 0) return undefined;
  return { title: 'Warnings', reasons: warnings.map((text) => reason(sentence(text))), next: [] };
}
