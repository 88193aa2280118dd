import { secretValue } from '@fairlead/apimachinery';
import { type GithubApp, githubInstallation, githubInstallationToken, type SendTokenRequest } from '@fairlead/source';
import type { GeneratorRun } from '../generators/generator.ts';
import { during, GeneratorError } from '../generators/generator-error.ts';
import type { ForgeApi } from './forge-api.ts';
import { githubApi } from './github.ts';

/** Signs in as a GitHub App, with the key of a Secret of the control plane, and gives the API of its installation. */
export async function githubAppApi(
  secretName: string,
  owner: string,
  api: string | undefined,
  run: Pick<GeneratorRun, 'forges' | 'objects' | 'namespace'>,
  now: () => number = Date.now,
): Promise<ForgeApi> {
  const { forges, objects, namespace } = run;
  const secret = await objects.secret(namespace, secretName);
  if (!secret) throw new GeneratorError(`secrets ${JSON.stringify(secretName)} not found`);
  const field = (name: string): string => (secretValue(secret, name) ?? '').trim();
  const app: GithubApp = {
    kind: 'github-app',
    id: field('githubAppID'),
    installation: field('githubAppInstallationID'),
    privateKey: field('githubAppPrivateKey'),
    baseUrl: api || field('githubAppEnterpriseBaseUrl'),
  };
  if (app.id === '' || app.privateKey === '')
    throw new GeneratorError(`Secret ${namespace}/${secretName} needs githubAppID and githubAppPrivateKey`);
  const send: SendTokenRequest = (request) => forges.send(request);
  const token = await during(
    `could not get a token of the GitHub App in Secret ${namespace}/${secretName}`,
    async () => {
      const installation = app.installation || (await githubInstallation(app, owner, send, now()));
      return githubInstallationToken(app, installation, send, now());
    },
  );
  return githubApi(forges, app.baseUrl, token.value);
}
