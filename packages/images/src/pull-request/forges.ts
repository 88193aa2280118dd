import { azureDevOps } from './azure-devops.ts';
import { bitbucketCloud } from './bitbucket-cloud.ts';
import { bitbucketServer } from './bitbucket-server.ts';
import type { Forge } from './forge.ts';
import { gitea } from './gitea.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';

/** The forges, by the field of `pullRequest` that selects one. */
export const forges = {
  github,
  gitlab,
  gitea,
  bitbucket: bitbucketCloud,
  bitbucketServer,
  azuredevops: azureDevOps,
} as const satisfies Record<string, Forge>;

export type ForgeName = keyof typeof forges;

export const forgeNames: readonly ForgeName[] = [
  'github',
  'gitlab',
  'gitea',
  'bitbucket',
  'bitbucketServer',
  'azuredevops',
];
