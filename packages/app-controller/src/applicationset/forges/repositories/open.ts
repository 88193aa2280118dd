import type { Generator } from '@fairlead/api';
import type { GeneratorRun } from '../../generators/generator.ts';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import { azureApi } from '../azure-devops.ts';
import { bitbucketAuth } from '../bitbucket-auth.ts';
import { bitbucketCloudApi } from '../bitbucket-cloud.ts';
import { bitbucketServerApi } from '../bitbucket-server.ts';
import { giteaApi } from '../gitea.ts';
import { githubApi } from '../github.ts';
import { githubAppApi } from '../github-app.ts';
import { gitlabApi } from '../gitlab.ts';
import { referredCertificates, referredSecret } from '../secret-ref.ts';
import { azureRepositories } from './azure-devops.ts';
import { bitbucketCloudRepositories } from './bitbucket-cloud.ts';
import { bitbucketServerRepositories } from './bitbucket-server.ts';
import { codeCommitRepositories } from './code-commit.ts';
import { giteaRepositories } from './gitea.ts';
import { githubRepositories } from './github.ts';
import { gitlabRepositories } from './gitlab.ts';
import type { RepositoryForge } from './repository.ts';

type Spec = NonNullable<Generator['scmProvider']>;
type SecretRef = Parameters<typeof referredSecret>[0];

/** Signs in to the forge that a generator names. */
export async function openRepositories(spec: Spec, run: GeneratorRun): Promise<RepositoryForge> {
  const { github, gitlab, gitea, bitbucketServer, bitbucket, azureDevOps, awsCodeCommit } = spec;
  const { forges } = run;
  const tokenOf = (ref: SecretRef, what: string): Promise<string> =>
    during(`error fetching ${what}`, () => referredSecret(ref, run));
  const caOf = (ref: Parameters<typeof referredCertificates>[0]): Promise<string | undefined> =>
    during('error fetching CA certificates from ConfigMap', () => referredCertificates(ref, run));
  if (github) return during('scm provider', () => openGithub(github, run));
  if (gitlab) {
    const tls = { ca: await caOf(gitlab.caRef), insecure: gitlab.insecure };
    const token = await tokenOf(gitlab.tokenRef, 'Gitlab token');
    return gitlabRepositories(gitlabApi(forges, gitlab.api, token, tls), gitlab);
  }
  if (gitea) {
    const token = await tokenOf(gitea.tokenRef, 'Gitea token');
    const api = await during('error initializing Gitea service', () =>
      during('error creating a new gitea client', () =>
        giteaApi(forges, gitea.api, token, { insecure: gitea.insecure }),
      ),
    );
    return giteaRepositories(api, gitea);
  }
  if (bitbucketServer) {
    const tls = { ca: await caOf(bitbucketServer.caRef), insecure: bitbucketServer.insecure };
    const auth = await bitbucketAuth(bitbucketServer, run);
    return bitbucketServerRepositories(bitbucketServerApi(forges, bitbucketServer.api, auth, tls), bitbucketServer);
  }
  if (azureDevOps) {
    const token = await tokenOf(azureDevOps.accessTokenRef, 'Azure Devops access token');
    if (token === '') throw new GeneratorError('error initializing Azure Devops service: no access token provided');
    return azureRepositories(azureApi(forges, azureDevOps.api, azureDevOps.organization, token), azureDevOps);
  }
  if (bitbucket) {
    const password = await tokenOf(bitbucket.appPasswordRef, 'Bitbucket cloud appPassword');
    const api = bitbucketCloudApi(forges, undefined, { basic: [bitbucket.user, password] });
    return bitbucketCloudRepositories(api, bitbucket);
  }
  if (awsCodeCommit)
    return during('error initializing AWS codecommit service', () => codeCommitRepositories(awsCodeCommit, run));
  throw new GeneratorError('no SCM provider implementation configured');
}

async function openGithub(github: NonNullable<Spec['github']>, run: GeneratorRun): Promise<RepositoryForge> {
  const { appSecretName, organization, api, tokenRef } = github;
  const opened = appSecretName
    ? await during('error fetching Github app secret', () => githubAppApi(appSecretName, organization, api, run))
    : githubApi(run.forges, api, await during('error fetching Github token', () => referredSecret(tokenRef, run)));
  return githubRepositories(opened, github);
}
