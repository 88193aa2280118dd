import type { AppProject } from '@fairlead/api';
import type { GitAsk } from '../git/git-reader.ts';
import type { Generate, GeneratorRun } from './generator.ts';
import { during, GeneratorError } from './generator-error.ts';
import { directoryParams } from './git-directories.ts';
import { fileParams } from './git-files.ts';

export const refreshAnnotation = 'argocd.argoproj.io/application-set-refresh';

/** What a generator without its part says, in Argo CD's words. */
export const emptyGenerator = 'ApplicationSet is empty';

/** Directories or files of a repository. */
export const generateGit: Generate<'git'> = async (spec, run) => {
  const ask = await askOf(run);
  const directories = (spec.directories ?? []).length > 0;
  if (!directories && (spec.files ?? []).length === 0) throw new GeneratorError(emptyGenerator);
  return during('error generating params from git', () =>
    directories ? directoryParams(spec, run, ask) : fileParams(spec, run, ask),
  );
};

/**
 * For whom the repository is read. The project of a template is known only when it is no template itself; otherwise only credentials that
 * serve all projects are used, and signatures are not checked.
 */
async function askOf({ set, git }: GeneratorRun): Promise<GitAsk> {
  const name = set.spec.template.spec.project;
  const fresh = set.metadata.annotations?.[refreshAnnotation] !== undefined;
  if (name.includes('{{')) return { fresh };
  const project: AppProject | undefined = git.project(name);
  if (!project)
    throw new GeneratorError(`error getting project ${name}: AppProject.argoproj.io ${JSON.stringify(name)} not found`);
  return { fresh, project };
}
