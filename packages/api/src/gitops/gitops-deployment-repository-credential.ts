import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind, type Kind } from '../kind.ts';
import { list, object, required, type Static, string } from '../schema.ts';
import { condition, gitopsGroup } from './group.ts';

const spec = object({
  repository: required(string('The Git repository: https://…, ssh://… or git@host:path.')),
  secret: required(string('A Secret of this namespace with username and password, or sshPrivateKey.')),
});

const status = object({ conditions: list(condition) });

export interface GitOpsDeploymentRepositoryCredential extends KubeObject {
  spec: Static<typeof spec>;
  status?: Static<typeof status>;
}

export const gitopsDeploymentRepositoryCredentialKind: Kind<GitOpsDeploymentRepositoryCredential> = defineKind({
  ...gitopsGroup,
  kind: 'GitOpsDeploymentRepositoryCredential',
  plural: 'gitopsdeploymentrepositorycredentials',
  description: 'The credentials of a private repository for the deployments of this namespace.',
  schema: object({ spec, status }),
  statusSubresource: true,
}) as Kind<GitOpsDeploymentRepositoryCredential>;
