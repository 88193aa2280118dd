import type { Generator } from '@fairlead/api';
import { type JsonObject, listAt, textAt } from '@fairlead/apimachinery';
import type { GeneratorRun } from '../../generators/generator.ts';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import { type AwsCall, AwsRefusal, awsClient } from '../aws.ts';
import { allPages } from '../forge-api.ts';
import type { Repository, RepositoryForge } from './repository.ts';

type Spec = NonNullable<NonNullable<Generator['scmProvider']>['awsCodeCommit']>;

const missing = new Set([
  'RepositoryDoesNotExistException',
  'CommitDoesNotExistException',
  'FolderDoesNotExistException',
]);

/** AWS CodeCommit. Repositories are found by their tags, or all of the account are listed. Branches have no commit id here. */
export async function codeCommitRepositories(spec: Spec, run: GeneratorRun): Promise<RepositoryForge> {
  const call = await awsClient(run.forges, {
    region: spec.region ?? '',
    role: spec.role ?? '',
    environment: run.settings.environment,
  });
  const repository = async (name: string): Promise<unknown> =>
    (await call('codecommit', 'GetRepository', { repositoryName: name }))['repositoryMetadata'];
  return {
    async list(cloneProtocol) {
      const names = await during('failed to list codecommit repository', () => repositoryNames(call, spec));
      const repositories: Repository[] = [];
      for (const name of names) {
        const metadata = await during('failed to get codecommit repository', () => repository(name));
        const branch = textAt(metadata, 'defaultBranch');
        // Without a default branch, it has no commits.
        if (branch === '') continue;
        repositories.push({
          organization: textAt(metadata, 'accountId'),
          repository: textAt(metadata, 'repositoryName'),
          url: urlOf(metadata, cloneProtocol),
          branch,
          sha: '',
          labels: [],
          id: textAt(metadata, 'repositoryId'),
        });
      }
      return repositories;
    },
    async branches(one) {
      if (!spec.allBranches) return [{ ...one, branch: textAt(await repository(one.repository), 'defaultBranch') }];
      const names = await pages(call, 'codecommit', 'ListBranches', { repositoryName: one.repository }, 'branches');
      return names.map((branch) => ({ ...one, branch: String(branch) }));
    },
    hasPath: (one, path) => hasPath(call, one, path),
  };
}

async function hasPath(call: AwsCall, one: Repository, path: string): Promise<boolean> {
  const names = path.split('/').filter((name) => name !== '');
  const last = names.pop();
  if (last === undefined) return true;
  try {
    const folder = await call('codecommit', 'GetFolder', {
      commitSpecifier: one.branch,
      folderPath: `/${names.join('/')}`,
      repositoryName: one.repository,
    });
    const kinds = ['subModules', 'subFolders', 'files', 'symbolicLinks'];
    return kinds.some((kind) => listAt(folder, kind).some((entry) => textAt(entry, 'relativePath') === last));
  } catch (error) {
    if (error instanceof AwsRefusal && missing.has(error.type)) return false;
    throw error;
  }
}

async function repositoryNames(call: AwsCall, { tagFilters = [] }: Spec): Promise<string[]> {
  if (tagFilters.length === 0) {
    const found = await pages(call, 'codecommit', 'ListRepositories', {}, 'repositories');
    return found.map((item) => textAt(item, 'repositoryName'));
  }
  const values = new Map<string, string[]>();
  for (const { key, value } of tagFilters) values.set(key, [...(values.get(key) ?? []), ...(value ? [value] : [])]);
  const body = {
    ResourceTypeFilters: ['codecommit:repository'],
    TagFilters: [...values].map(([Key, Values]) => (Values.length > 0 ? { Key, Values } : { Key })),
  };
  const found = await pages(call, 'tagging', 'GetResources', body, 'ResourceTagMappingList');
  return found.map((item) => textAt(item, 'ResourceARN').split(':').slice(5).join(':'));
}

/** The two services name their tokens differently. */
const pages = (
  call: AwsCall,
  service: 'codecommit' | 'tagging',
  action: string,
  body: JsonObject,
  field: string,
): Promise<unknown[]> => {
  const [sent, received] = service === 'tagging' ? ['PaginationToken', 'PaginationToken'] : ['nextToken', 'nextToken'];
  return allPages('', async (token) => {
    const answer = await call(service, action, token === '' ? body : { ...body, [sent]: token });
    return { items: listAt(answer, field), next: textAt(answer, received) || undefined };
  });
};

function urlOf(metadata: unknown, protocol: string): string {
  const https = textAt(metadata, 'cloneUrlHttp');
  if (protocol === '' || protocol === 'ssh') return textAt(metadata, 'cloneUrlSsh');
  if (protocol === 'https') return https;
  if (protocol !== 'https-fips') throw new GeneratorError(`unknown clone protocol for codecommit ${protocol}`);
  if (https.startsWith('https://git-codecommit-fips.')) return https;
  if (https.startsWith('https://git-codecommit.')) return https.replace('git-codecommit.', 'git-codecommit-fips.');
  throw new GeneratorError(
    `https-fips is provided but repoUrl can't be transformed to FIPS endpoint: the provided https endpoint isn't recognized, cannot be transformed to FIPS endpoint: ${https}`,
  );
}
