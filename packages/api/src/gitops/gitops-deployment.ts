import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { list, object, required, type Static, string, time } from '../schema.ts';
import { gitopsGroup } from './group.ts';
import { operationState } from './operation-state.ts';

const source = object(
  {
    repoURL: string('The Git repository: https://…, ssh://… or git@host:path.'),
    path: required(string('The folder in the repository.')),
    targetRevision: string('Branch, tag or commit; HEAD when empty.'),
    repository: string('An older spelling of repoURL.'),
    revision: string('An older spelling of targetRevision.'),
  },
  {
    description: 'Where the manifests are.',
    'x-kubernetes-validations': [{ rule: 'has(self.repoURL) || has(self.repository)', message: 'repoURL is required' }],
  },
);

const destination = object(
  {
    environment: string('A GitOpsDeploymentManagedEnvironment of this namespace; this cluster when empty.'),
    namespace: string('The namespace of objects that name none. Only with environment.'),
  },
  'The destination of the objects: this namespace if empty.',
);

const spec = object({
  source: required(source),
  destination,
  syncPolicy: object({ syncOptions: list(string('For example CreateNamespace=true.')) }),
  type: required(string('automated: every commit is delivered. manual: only a GitOpsDeploymentSyncRun delivers.')),
});

const health = object({ status: string(), message: string() });

const condition = object({
  type: required(string()),
  status: required(string()),
  reason: string(),
  message: string('Why, in one sentence.'),
  lastProbeTime: time(),
  lastTransitionTime: time(),
});

const reconciledState = object(
  {
    source: required(object({ repoURL: required(string()), path: required(string()), branch: required(string()) })),
    destination: required(object({ name: required(string()), namespace: required(string()) })),
  },
  'The source and destination that the status describes.',
);

const status = object({
  conditions: list(condition),
  health,
  sync: object({ status: required(string('Synced, OutOfSync or Unknown.')), revision: string() }),
  reconciledState: required(reconciledState),
  resources: list(
    object({
      group: string(),
      version: string(),
      kind: string(),
      namespace: string(),
      name: string(),
      status: string(),
      health,
    }),
  ),
  operationState,
});

export interface GitOpsDeploymentSpec extends Static<typeof spec> {}
export interface GitOpsDeploymentStatus extends Static<typeof status> {}
export interface GitOpsDeploymentCondition extends Static<typeof condition> {}
export interface GitOpsDeployment extends KubeObject {
  spec: GitOpsDeploymentSpec;
  status?: GitOpsDeploymentStatus;
}

export const gitopsDeploymentKind: Kind<GitOpsDeployment> = defineKind({
  ...gitopsGroup,
  kind: 'GitOpsDeployment',
  plural: 'gitopsdeployments',
  description: 'A deployment of a tenant: a directory of a repository, deployed to an environment.',
  schema: object({ spec, status }),
  statusSubresource: true,
  additions: ['spec.source', 'spec.source.repository', 'spec.source.revision'],
  printerColumns: [
    { name: 'Sync Status', type: 'string', jsonPath: '.status.sync.status' },
    { name: 'Health Status', type: 'string', jsonPath: '.status.health.status' },
  ],
}) as Kind<GitOpsDeployment>;
