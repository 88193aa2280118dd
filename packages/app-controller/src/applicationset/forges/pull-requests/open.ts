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
import { azurePullRequests } from './azure-devops.ts';
import { bitbucketCloudPullRequests } from './bitbucket-cloud.ts';
import { bitbucketServerPullRequests } from './bitbucket-server.ts';
import { giteaPullRequests } from './gitea.ts';
import { githubPullRequests } from './github.ts';
import { gitlabMergeRequests } from './gitlab.ts';
import type { ListPullRequests } from './pull-request.ts';

type Spec = NonNullable<Generator['pullRequest']>;

/** Signs in to the forge that a generator names. */
export async function openPullRequests(spec: Spec, run: GeneratorRun): Promise<ListPullRequests> {
  const { github, gitlab, gitea, bitbucketServer, bitbucket, azuredevops } = spec;
  const { forges } = run;
  const tokenOf = (ref: Parameters<typeof referredSecret>[0]): Promise<string> =>
    during('error fetching Secret token', () => referredSecret(ref, run));
  const caOf = (ref: Parameters<typeof referredCertificates>[0]): Promise<string | undefined> =>
    during('error fetching CA certificates from ConfigMap', () => referredCertificates(ref, run));
  if (github) {
    const { appSecretName, owner, api, tokenRef } = github;
    const opened = appSecretName
      ? await during('error getting GitHub App secret', () => githubAppApi(appSecretName, owner, api, run))
      : githubApi(forges, api, await tokenOf(tokenRef));
    return githubPullRequests(opened, github);
  }
  if (gitlab) {
    const tls = { ca: await caOf(gitlab.caRef), insecure: gitlab.insecure };
    return gitlabMergeRequests(gitlabApi(forges, gitlab.api, await tokenOf(gitlab.tokenRef), tls), gitlab);
  }
  if (gitea) {
    const token = await tokenOf(gitea.tokenRef);
    return giteaPullRequests(await giteaApi(forges, gitea.api, token, { insecure: gitea.insecure }), gitea);
  }
  if (bitbucketServer) {
    const tls = { ca: await caOf(bitbucketServer.caRef), insecure: bitbucketServer.insecure };
    const auth = await bitbucketAuth(bitbucketServer, run);
    return bitbucketServerPullRequests(bitbucketServerApi(forges, bitbucketServer.api, auth, tls), bitbucketServer);
  }
  if (bitbucket) {
    const auth = await bitbucketAuth(bitbucket, run);
    return bitbucketCloudPullRequests(bitbucketCloudApi(forges, bitbucket.api, auth), bitbucket);
  }
  if (azuredevops) {
    const { api, organization, tokenRef } = azuredevops;
    return azurePullRequests(azureApi(forges, api, organization, await tokenOf(tokenRef)), azuredevops);
  }
  throw new GeneratorError('no Pull Request provider implementation configured');
}
