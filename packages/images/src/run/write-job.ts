import { posix } from 'node:path';
import type { Application } from '@fairlead/api';
import type { RepositoryCredentials } from '@fairlead/source';
import type { ApplicationPlan } from '../config/application-plan.ts';
import { gitSecretName, loginCredentials, readGitSecret } from '../credentials/git-secret.ts';
import type { WriteJob } from '../git/git-writer.ts';
import { ImagesError } from '../images-error.ts';
import type { UpdateDecision } from '../update/decide-update.ts';
import { branchOf, sourceOf } from '../write-back/application-source.ts';
import { editKustomization, kustomizationFiles } from '../write-back/kustomization-file.ts';
import { overrideFile } from '../write-back/override-file.ts';
import { branchName, commitMessage, pullRequestBranch, Template, targetKey } from '../write-back/templates.ts';
import type { UpdateEnv } from './update-application.ts';

type JobEnv = Pick<UpdateEnv, 'secret' | 'repositoryCredentials' | 'repositoryProblem' | 'commitTemplate'>;

/** The commit for an Application: the files of a branch, their edits, and the message. */
export async function jobFor(
  env: JobEnv,
  plan: ApplicationPlan,
  { application, changes }: UpdateDecision,
): Promise<WriteJob> {
  const { writeBack } = plan;
  const { name, namespace = '' } = plan.application.metadata;
  const base = writeBack.branch || branchOf(plan.application, writeBack.repository, writeBack);
  const template = writeBack.pullRequest ? pullRequestBranch : writeBack.writeBranch;
  const branch =
    template === ''
      ? ''
      : branchName(new Template(template, 'branch'), {
          namespace,
          application: name,
          targetKey: targetKey(writeBack),
          changes,
        });
  return {
    repository: writeBack.repository,
    credentials: await gitCredentials(env, plan),
    base,
    branch,
    application: name,
    message: commitMessage(env.commitTemplate, name, changes),
    isRebuilt: writeBack.pullRequest !== undefined,
    ...(writeBack.kustomizeBase === '' ? parametersEdit(plan, application) : kustomizationEdit(plan, application)),
  };
}

type Edit = Pick<WriteJob, 'paths' | 'edit'>;

function parametersEdit({ writeBack, rules }: ApplicationPlan, application: Application): Edit {
  const { target } = writeBack;
  return {
    paths: [target],
    edit(read) {
      const before = read(target);
      const after = overrideFile({ application, rules, writeBack, before });
      return after === '' || after === before ? new Map() : new Map([[target, after]]);
    },
  };
}

function kustomizationEdit({ writeBack }: ApplicationPlan, application: Application): Edit {
  const paths = kustomizationFiles.map((file) => posix.join(writeBack.kustomizeBase, file));
  return {
    paths,
    edit(read) {
      const images = sourceOf(application, writeBack)?.source.kustomize?.images ?? [];
      for (const path of paths) {
        const text = read(path);
        if (text !== undefined) return new Map([[path, editKustomization(text, images)]]);
      }
      throw new ImagesError('CannotWrite', `there is no kustomization in ${writeBack.kustomizeBase}`);
    },
  };
}

/** The stored credentials of the repository, or the Secret that the Application names in its own namespace. */
async function gitCredentials(
  env: JobEnv,
  { application, writeBack }: ApplicationPlan,
): Promise<RepositoryCredentials | undefined> {
  const { namespace = '' } = application.metadata;
  if (writeBack.credentials.kind === 'repocreds') {
    const problem = env.repositoryProblem(application, writeBack.repository);
    if (problem !== undefined) throw new ImagesError('CredentialsForbidden', problem);
    return env.repositoryCredentials(writeBack.repository, application.spec.project || 'default');
  }
  const { ref } = writeBack.credentials;
  const secret = gitSecretName(ref, namespace);
  const data = await env.secret(secret.namespace, secret.name);
  if (!data) throw new ImagesError('InvalidCredentials', `Secret not found: ${secret.namespace}/${secret.name}`);
  return loginCredentials(readGitSecret(writeBack.repository, data, ref), `${secret.namespace}/${secret.name}`);
}
