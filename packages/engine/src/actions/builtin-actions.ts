import type { ActionTable, KindActions } from './action.ts';
import { argoActions } from './kinds/argo.ts';
import { databaseActions } from './kinds/databases.ts';
import { externalSecretActions } from './kinds/external-secrets.ts';
import { fluxActions } from './kinds/flux.ts';
import { jobActions } from './kinds/jobs.ts';
import { kafkaActions } from './kinds/kafka.ts';
import { kedaActions } from './kinds/keda.ts';
import { numaprojActions } from './kinds/numaproj.ts';
import { rolloutActions } from './kinds/rollout.ts';
import { workflowActions } from './kinds/workflows.ts';
import { workloadActions } from './kinds/workloads.ts';

/** The kinds that have actions without any configuration: those of Argo CD. */
export const builtinActions: ReadonlyMap<string, KindActions> = new Map(
  [
    argoActions,
    databaseActions,
    externalSecretActions,
    fluxActions,
    jobActions,
    kafkaActions,
    kedaActions,
    numaprojActions,
    rolloutActions,
    workflowActions,
    workloadActions,
  ].flatMap((table: ActionTable) => Object.entries(table)),
);
