import { type Json, listAt, textAt } from '@fairlead/apimachinery';
import { GoObject, structType } from '@fairlead/render/go-template';
import { GeneratorError } from '../../generators/generator-error.ts';
import { type AzureError, azureError, azurePath, withoutHeads } from '../azure-devops.ts';
import type { ForgeApi } from '../forge-api.ts';
import type { Repository, RepositoryForge } from './repository.ts';

export interface AzureRepositories {
  readonly organization: string;
  readonly teamProject: string;
  readonly allBranches?: boolean | undefined;
}

const uuidType = structType('uuid.UUID');

/** Ids are not texts, as in Argo CD: plain templates leave them as they are. */
const uuid = (text: string): GoObject => new GoObject(uuidType, { text: () => text, inner: text });

export function azureRepositories(api: ForgeApi, options: AzureRepositories): RepositoryForge {
  const { organization, teamProject } = options;
  const git = azurePath(teamProject);
  const branchOf = (one: Repository, item: Json): Repository => ({
    ...one,
    branch: textAt(item, 'name'),
    sha: textAt(item, 'commit', 'commitId'),
    labels: [],
  });
  return {
    async list() {
      const reply = await api.get(`${git}/repositories`);
      if (!reply.ok) throw azureError(reply);
      return listAt(reply.json(), 'value')
        .filter((item) => ['id', 'name', 'defaultBranch', 'remoteUrl'].every((field) => textAt(item, field) !== ''))
        .map((item) => ({
          organization,
          repository: textAt(item, 'name'),
          url: textAt(item, 'remoteUrl'),
          branch: textAt(item, 'defaultBranch'),
          sha: '',
          labels: [],
          id: uuid(textAt(item, 'id')),
        }));
    },
    async branches(one) {
      const name = withoutHeads(one.branch);
      const path = `${git}/repositories/${encodeURIComponent(one.repository)}/stats/branches`;
      const reply = await api.get(path, options.allBranches ? {} : { name });
      if (!reply.ok) {
        const error = azureError(reply);
        if (error.typeKey === 'GitRepositoryNotFoundException') return [];
        throw branchError(error, one, name, options);
      }
      const body = reply.json();
      return options.allBranches ? listAt(body, 'value').map((item) => branchOf(one, item)) : [branchOf(one, body)];
    },
    async hasPath(one, path) {
      const id = one.id instanceof GoObject ? String(one.id.inner) : one.repository;
      const reply = await api.get(`${git}/repositories/${encodeURIComponent(id)}/items`, {
        path,
        'versionDescriptor.version': one.branch,
      });
      if (reply.ok) return true;
      const error = azureError(reply);
      if (error.typeKey === 'GitItemNotFoundException') return false;
      throw new GeneratorError(`failed to check for path existence in Azure DevOps: ${error.message}`);
    },
  };
}

const branchError = (
  error: AzureError,
  one: Repository,
  name: string,
  { allBranches, teamProject }: AzureRepositories,
): GeneratorError =>
  new GeneratorError(
    allBranches
      ? `failed getting branches from repository ${one.repository}, project ${teamProject}: ${error.message}`
      : `could not get default branch ${name} (${one.branch}) from repository ${one.repository}: ${error.message}`,
  );
