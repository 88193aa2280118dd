import { messageOf } from '@fairlead/apimachinery';
import { RE2JS } from 're2js';
import { GeneratorError } from '../generators/generator-error.ts';
import type { Repository, RepositoryForge } from './repositories/repository.ts';

export interface RepositoryFilter {
  readonly repositoryMatch?: string;
  readonly pathsExist?: readonly string[];
  readonly pathsDoNotExist?: readonly string[];
  readonly labelMatch?: string;
  readonly branchMatch?: string;
}

/** A regular expression of Go. */
export function expression(text: string, field: string): (value: string) => boolean {
  try {
    const compiled = RE2JS.compile(text);
    return (value) => compiled.matcher(value).find();
  } catch (error) {
    throw new GeneratorError(`error compiling ${field} regexp ${JSON.stringify(text)}: ${messageOf(error)}`);
  }
}

interface Compiled {
  /** Which stage asks it: before the branches are known, or after. */
  readonly stage: 'repository' | 'branch' | undefined;
  matches(repository: Repository, forge: RepositoryForge): Promise<boolean>;
}

/** The branches of the repositories that one of the filters of each stage selects. */
export async function selectRepositories(
  forge: RepositoryForge,
  filters: readonly RepositoryFilter[],
  cloneProtocol: string,
): Promise<Repository[]> {
  const compiled = filters.map(compile);
  const selected = async (repositories: readonly Repository[], stage: Compiled['stage']): Promise<Repository[]> => {
    const asked = compiled.filter((filter) => filter.stage === stage);
    if (asked.length === 0) return [...repositories];
    const result: Repository[] = [];
    for (const repository of repositories) {
      for (const filter of asked) {
        if (!(await filter.matches(repository, forge))) continue;
        result.push(repository);
        break;
      }
    }
    return result;
  };
  const repositories = await selected(await forge.list(cloneProtocol), 'repository');
  const branches: Repository[] = [];
  for (const repository of repositories) branches.push(...(await forge.branches(repository)));
  return selected(branches, 'branch');
}

function compile(filter: RepositoryFilter): Compiled {
  const { repositoryMatch, labelMatch, branchMatch, pathsExist, pathsDoNotExist } = filter;
  const repository = repositoryMatch === undefined ? undefined : expression(repositoryMatch, 'RepositoryMatch');
  const label = labelMatch === undefined ? undefined : expression(labelMatch, 'LabelMatch');
  const branch = branchMatch === undefined ? undefined : expression(branchMatch, 'BranchMatch');
  const ofBranch = branch !== undefined || pathsExist !== undefined || pathsDoNotExist !== undefined;
  return {
    stage: ofBranch ? 'branch' : repository || label ? 'repository' : undefined,
    async matches(one, forge) {
      if (repository && !repository(one.repository)) return false;
      if (branch && !branch(one.branch)) return false;
      if (label && !one.labels.some(label)) return false;
      const has = (path: string): Promise<boolean> => forge.hasPath(one, path.replace(/\/+$/u, ''));
      for (const path of pathsExist ?? []) if (!(await has(path))) return false;
      for (const path of pathsDoNotExist ?? []) if (await has(path)) return false;
      return true;
    },
  };
}
