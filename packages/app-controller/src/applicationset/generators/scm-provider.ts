import type { Generator } from '@fairlead/api';
import { permitForge } from '../forges/allowed-forge.ts';
import { selectRepositories } from '../forges/filter-repositories.ts';
import { openRepositories } from '../forges/repositories/open.ts';
import { sanitizeName } from '../template/sanitize-name.ts';
import type { Generate } from './generator.ts';
import { during } from './generator-error.ts';
import { type Params, paramsOf } from './params.ts';
import { addValues } from './values.ts';

/** The repositories of an organization, or branches of them. */
export const generateRepositories: Generate<'scmProvider'> = async (spec, run) => {
  permitForge(apiOf(spec), run);
  const forge = await openRepositories(spec, run);
  const repositories = await during('error listing repos', () =>
    selectRepositories(forge, spec.filters ?? [], spec.cloneProtocol ?? ''),
  );
  const result: Params[] = [];
  for (const { organization, repository, id, url, branch, sha, labels } of repositories) {
    const params = paramsOf([
      ['organization', organization],
      ['repository', repository],
      ['repository_id', id],
      ['url', url],
      ['branch', branch],
      ['sha', sha],
      ['short_sha', sha.slice(0, 8)],
      ['short_sha_7', sha.slice(0, 7)],
      ['labels', labels.join(',')],
      ['branchNormalized', sanitizeName(branch)],
    ]);
    await during('failed to append templated values', () => addValues(params, spec.values, run));
    result.push(params);
  }
  return result;
};

/** The address that the ApplicationSet gives, if it may give one. */
const apiOf = ({ github, gitlab, gitea, bitbucketServer, azureDevOps }: NonNullable<Generator['scmProvider']>) =>
  (github ?? gitlab ?? gitea ?? bitbucketServer ?? azureDevOps)?.api;
