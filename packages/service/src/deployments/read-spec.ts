import { type GitOpsDeployment, gitopsDeploymentKind } from '@fairlead/api';
import { tenantSyncOptions } from '@fairlead/engine';
import { normalizeGitUrl, parseGitUrl, SourceError } from '@fairlead/source';
import { type HostKind, whyHostRefused } from '../host-kind.ts';
import { UserError, type UserErrorReason } from '../user-error.ts';

/** The validated spec of a GitOpsDeployment, in one spelling. */
export interface DeploymentSpec {
  readonly repository: string;
  readonly path: string;
  /** HEAD if empty. */
  readonly revision: string;
  /** This cluster if absent. */
  readonly environment?: string;
  readonly namespace?: string;
  readonly syncOptions: readonly string[];
  readonly automated: boolean;
}

const knownOptions: ReadonlySet<string> = new Set(tenantSyncOptions);

const refuse = (reason: UserErrorReason, message: string): never => {
  throw new UserError(reason, message);
};

/** Reads the spec of a GitOpsDeployment. Throws a `UserError` with the first field that is wrong and what to do about it. */
export function readDeploymentSpec(deployment: GitOpsDeployment): DeploymentSpec {
  // Only the spec: cached status fields would be rejected as unknown.
  const { apiVersion, kind, metadata, spec } = deployment;
  const problem = gitopsDeploymentKind.validate({ apiVersion, kind, metadata, spec }).find(({ unknown }) => !unknown);
  if (problem) refuse('InvalidSpec', `${problem.field} ${problem.message}`);
  const { source, destination = {}, syncPolicy = {}, type } = deployment.spec;
  if (type !== 'automated' && type !== 'manual')
    refuse('InvalidType', `spec.type must be automated or manual, not ${JSON.stringify(type)}`);
  const { environment = '', namespace = '' } = destination;
  if (namespace !== '' && environment === '')
    refuse(
      'NamespaceWithoutEnvironment',
      'spec.destination.namespace needs spec.destination.environment: set it, or leave out both',
    );
  if (namespace !== '') checkNamespace(namespace, 'spec.destination.namespace');
  const syncOptions = syncPolicy.syncOptions ?? [];
  for (const option of syncOptions) {
    if (!knownOptions.has(option))
      refuse(
        'InvalidSyncOption',
        `spec.syncPolicy.syncOptions: ${JSON.stringify(option)} is not known: ${hint(option)}`,
      );
  }
  return {
    repository: readRepository(either(source, 'repoURL', 'repository'), 'spec.source.repoURL'),
    path: readPath(source.path),
    revision: readRevision(either(source, 'targetRevision', 'revision')),
    ...(environment === '' ? {} : { environment }),
    ...(namespace === '' ? {} : { namespace }),
    syncOptions,
    automated: type === 'automated',
  };
}

/** The field by its present name, or by its former one. Both may be set if they are equal. */
function either<A extends string, B extends string>(
  source: { readonly [K in A | B]?: string },
  name: A,
  older: B,
): string {
  const [value, former] = [source[name] ?? '', source[older] ?? ''];
  if (value !== '' && former !== '' && value !== former)
    refuse('InvalidSpec', `spec.source.${name} and its older spelling spec.source.${older} differ: leave one out`);
  return value || former;
}

/** A repository that a tenant may use: a remote URL, and one that a project does not read as a pattern. */
export function readRepository(text: string, field: string): string {
  if (text.trim() === '') refuse('InvalidRepository', `${field} is empty: give the repository’s URL`);
  if (/[*?[\]{}!\s]/u.test(text))
    refuse('InvalidRepository', `${field} is not a repository URL: ${JSON.stringify(text)}`);
  try {
    const { transport } = parseGitUrl(text);
    if (transport !== 'http' && transport !== 'ssh')
      refuse('InvalidRepository', `${field} must begin with https://, http:// or ssh://, or be user@host:path`);
  } catch (error) {
    if (error instanceof SourceError) refuse('InvalidRepository', `${field}: ${error.message}`);
    throw error;
  }
  return text;
}

/** Refuses a repository on a host that tenants may not use. */
export function checkHost(repository: string, refused: readonly HostKind[], field: string): void {
  const why = whyHostRefused(parseGitUrl(repository).host ?? '', refused);
  if (why) refuse('HostNotPermitted', `${field}: ${why}`);
}

/** The normalized URL by which permissions and credentials are compared. */
export const repositoryKey = (url: string): string => normalizeGitUrl(url);

function readPath(text: string): string {
  if (text.trim() === '')
    refuse('InvalidPath', 'spec.source.path is empty: name a folder, or . for the whole repository');
  const path = text.replace(/^\/+/u, '').replace(/\/+$/u, '');
  if (path === '')
    refuse('InvalidPath', "spec.source.path cannot be '/': name a folder, or . for the whole repository");
  if (path.split('/').includes('..')) refuse('InvalidPath', 'spec.source.path may not lead out of the repository');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (path.length > 1024 || /[\u0000-\u001f\u007f]/u.test(path))
    refuse('InvalidPath', 'spec.source.path is not the name of a folder');
  return path;
}

function readRevision(text: string): string {
  const revision = text.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (revision.length > 256 || revision.startsWith('-') || /[\u0000-\u001f\u007f\s]/u.test(revision))
    refuse('InvalidSpec', 'spec.source.targetRevision is not a branch, tag or commit');
  return revision;
}

export function checkNamespace(name: string, field: string): void {
  if (name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/u.test(name)) return;
  refuse('InvalidNamespace', `${field}: ${JSON.stringify(name)} is not the name of a namespace`);
}

function hint(option: string): string {
  const [name = ''] = option.split('=');
  const same = [...knownOptions].filter((known) => known.toLowerCase().startsWith(`${name.toLowerCase()}=`));
  if (same.length > 0) return `use ${same.join(' or ')}`;
  const names = new Set([...knownOptions].map((known) => known.slice(0, known.indexOf('='))));
  return `the options are ${[...names].join(', ')}`;
}
