import { type Json, listAt, numberAt, textAt } from '@fairlead/apimachinery';
import { GoInt, int64 } from '@fairlead/render/go-template';
import { during, GeneratorError } from '../../generators/generator-error.ts';
import type { ForgeApi } from '../forge-api.ts';
import { gitlabError, gitlabId, gitlabList } from '../gitlab.ts';
import { cloneUrl, type Repository, type RepositoryForge } from './repository.ts';

export interface GitlabProjects {
  readonly group: string;
  readonly allBranches?: boolean | undefined;
  readonly includeSubgroups?: boolean | undefined;
  readonly includeSharedProjects?: boolean | undefined;
  readonly includeArchivedRepos?: boolean | undefined;
  readonly topic?: string | undefined;
}

export function gitlabRepositories(api: ForgeApi, options: GitlabProjects): RepositoryForge {
  const { group } = options;
  const projectOf = ({ id }: Repository): string => gitlabId(id instanceof GoInt ? String(id.value) : '');
  return {
    async list(cloneProtocol) {
      const query = {
        include_subgroups: options.includeSubgroups ?? false,
        with_shared: options.includeSharedProjects ?? true,
        topic: options.topic ?? '',
        ...(options.includeArchivedRepos ? { archived: true } : {}),
      };
      const items = await gitlabList(api, `/groups/${gitlabId(group)}/projects`, query, (reply) => {
        return new GeneratorError(`error listing projects for ${group}: ${gitlabError(reply).message}`);
      });
      return items.map((item) => ({
        organization: textAt(item, 'namespace', 'full_path'),
        repository: textAt(item, 'path'),
        url: cloneUrl(
          cloneProtocol,
          { ssh: textAt(item, 'ssh_url_to_repo'), https: textAt(item, 'http_url_to_repo') },
          'Gitlab',
        ),
        branch: textAt(item, 'default_branch'),
        sha: '',
        labels: labelsOf(item),
        id: int64(numberAt(item, 'id')),
      }));
    },
    branches: (one) =>
      during(`error listing branches for ${one.organization}/${one.repository}`, async () => {
        const path = `/projects/${projectOf(one)}/repository/branches`;
        const branchOf = (item: Json): Repository => ({
          ...one,
          branch: textAt(item, 'name'),
          sha: textAt(item, 'commit', 'id'),
        });
        if (options.allBranches) return (await gitlabList(api, path, {}, gitlabError)).map(branchOf);
        const reply = await api.get(`${path}/${gitlabId(one.branch)}`);
        if (reply.status === 404) return [];
        if (!reply.ok) throw gitlabError(reply);
        return [branchOf(reply.json())];
      }),
    async hasPath(one, path) {
      const project = `/projects/${projectOf(one)}/repository`;
      const file = await api.get(`${project}/files/${gitlabId(path)}`, { ref: one.branch });
      if (file.ok) return true;
      if (file.status !== 404) throw gitlabError(file);
      const directory = await api.get(`${project}/tree`, { path, ref: one.branch });
      if (directory.status === 404) return false;
      if (!directory.ok) throw gitlabError(directory);
      return true;
    },
  };
}

/** Servers before 14.5 call topics tags. */
function labelsOf(project: Json): string[] {
  const topics = listAt(project, 'topics');
  return (topics.length > 0 ? topics : listAt(project, 'tag_list')).map(String);
}
