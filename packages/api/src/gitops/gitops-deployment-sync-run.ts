import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { list, object, required, type Static, string, time } from '../schema.ts';
import { gitopsGroup } from './group.ts';

const spec = object(
  {
    gitopsDeploymentName: required(string('The GitOpsDeployment of this namespace to sync.')),
    revisionID: string('The revision to deploy; that of the GitOpsDeployment if empty.'),
  },
  {
    'x-kubernetes-validations': [
      {
        rule: "self.gitopsDeploymentName == oldSelf.gitopsDeploymentName && (has(self.revisionID) ? self.revisionID : '') == (has(oldSelf.revisionID) ? oldSelf.revisionID : '')",
        message: 'spec cannot be changed: delete this GitOpsDeploymentSyncRun and create another',
      },
    ],
  },
);

const condition = object({
  type: required(string()),
  status: required(string()),
  reason: required(string()),
  message: required(string('Why, in one sentence.')),
  lastTransitionTime: time(),
});

const status = object({ conditions: list(condition) });

export interface GitOpsDeploymentSyncRun extends KubeObject {
  spec: Static<typeof spec>;
  status?: Static<typeof status>;
}

export const gitopsDeploymentSyncRunKind: Kind<GitOpsDeploymentSyncRun> = defineKind({
  ...gitopsGroup,
  kind: 'GitOpsDeploymentSyncRun',
  plural: 'gitopsdeploymentsyncruns',
  description: 'One sync of a manual GitOpsDeployment. Deleting it terminates a running sync.',
  schema: object({ spec, status }),
  additions: ['spec'],
  statusSubresource: true,
}) as Kind<GitOpsDeploymentSyncRun>;
