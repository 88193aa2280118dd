import { boolean, list, object, required, string } from '../schema.ts';

/** How the forges of the generators `scmProvider` and `pullRequest` are reached. */

const secretRef = object({ secretName: required(string()), key: required(string()) });
const caRef = object(
  { configMapName: required(string()), key: required(string()) },
  'A ConfigMap with certificates to trust.',
);
const basicAuth = object({ username: required(string()), passwordRef: required(secretRef) });
const bearerToken = object({ tokenRef: required(secretRef) });
const insecure = boolean('Accept any certificate of the server.');
const allBranches = boolean('All branches, and not only the default one.');
const labels = list(string(), 'Only requests with all of these labels.');

export const scmForges = {
  github: object({
    organization: required(string()),
    api: string('The address of the API; https://api.github.com/ when empty.'),
    tokenRef: secretRef,
    appSecretName: string('A repo-creds Secret of a GitHub App.'),
    allBranches,
    excludeArchivedRepos: boolean(),
  }),
  gitlab: object({
    group: required(string('The id or the full path of a group.')),
    includeSubgroups: boolean(),
    api: string(),
    tokenRef: secretRef,
    allBranches,
    insecure,
    includeSharedProjects: boolean('Also projects that are shared with the group; true when absent.'),
    topic: string('Only projects with this topic.'),
    caRef,
    includeArchivedRepos: boolean(),
  }),
  bitbucket: object({
    owner: required(string('The workspace.')),
    user: required(string()),
    appPasswordRef: required(secretRef),
    allBranches,
  }),
  bitbucketServer: object({
    project: required(string()),
    api: required(string()),
    basicAuth,
    allBranches,
    bearerToken,
    insecure,
    caRef,
  }),
  gitea: object({
    owner: required(string()),
    api: required(string()),
    tokenRef: secretRef,
    allBranches,
    insecure,
    excludeArchivedRepos: boolean(),
  }),
  azureDevOps: object({
    organization: required(string()),
    api: string('The address of the server; https://dev.azure.com when empty.'),
    teamProject: required(string()),
    accessTokenRef: required(secretRef),
    allBranches,
  }),
  awsCodeCommit: object({
    tagFilters: list(object({ key: required(string()), value: string() }), 'Only repositories with these tags.'),
    role: string('A role to assume.'),
    region: string(),
    allBranches,
  }),
};

export const pullRequestForges = {
  github: object({
    owner: required(string()),
    repo: required(string()),
    api: string('The address of the API; https://api.github.com/ when empty.'),
    tokenRef: secretRef,
    appSecretName: string('A repo-creds Secret of a GitHub App.'),
    labels,
  }),
  gitlab: object({
    project: required(string()),
    api: string(),
    tokenRef: secretRef,
    labels,
    pullRequestState: string('opened, closed, merged or locked; all when empty.'),
    insecure,
    caRef,
  }),
  gitea: object({
    owner: required(string()),
    repo: required(string()),
    api: required(string()),
    tokenRef: secretRef,
    insecure,
    labels,
  }),
  bitbucketServer: object({
    project: required(string()),
    repo: required(string()),
    api: required(string()),
    basicAuth,
    bearerToken,
    insecure,
    caRef,
  }),
  bitbucket: object({
    owner: required(string()),
    repo: required(string()),
    api: string('The address of the API; https://api.bitbucket.org/2.0 when empty.'),
    basicAuth,
    bearerToken,
  }),
  azuredevops: object({
    organization: required(string()),
    project: required(string()),
    repo: required(string()),
    api: string(),
    tokenRef: secretRef,
    labels,
  }),
};
