import { posix } from 'node:path';
import type { WriteBackConfig } from '@fairlead/api';
import { ImagesError } from '../images-error.ts';
import { type ForgeName, forgeNames, forges } from '../pull-request/forges.ts';

/** How and where new versions of an Application are written, with resolved paths and branches. */
export interface WriteBack {
  readonly method: 'argocd' | 'git';
  /** The file in the repository; a values file unless its name starts with `.argocd-source`. */
  readonly target: string;
  /** The directory of the kustomization, or empty. */
  readonly kustomizeBase: string;
  readonly repository: string;
  /** The branch to read; the revision of the source if empty. */
  readonly branch: string;
  /** A template for the branch to push to; the branch that is read if empty. */
  readonly writeBranch: string;
  /** `repocreds`, or the Secret `[namespace/]name`. */
  readonly credentials: { readonly kind: 'repocreds' } | { readonly kind: 'secret'; readonly ref: string };
  readonly pullRequest: PullRequestSettings | undefined;
}

export interface PullRequestSettings {
  readonly provider: ForgeName;
  /** The address of the forge's API; derived from the repository if empty. */
  readonly api: string;
  readonly labels: readonly string[];
}

/** The required information about the Application. */
export interface WrittenApplication {
  readonly name: string;
  readonly namespace: string;
  readonly repoURL: string;
  readonly path: string;
}

export const overrideFilePrefix = '.argocd-source';

export function resolveWriteBack(
  settings: WriteBackConfig | undefined,
  application: WrittenApplication,
  controllerNamespace: string,
): WriteBack {
  const { path } = application;
  const plain: WriteBack = {
    method: 'argocd',
    target: posix.join(path, overrideFileName(application, controllerNamespace)),
    kustomizeBase: '',
    repository: '',
    branch: '',
    writeBranch: '',
    credentials: { kind: 'repocreds' },
    pullRequest: undefined,
  };
  const method = settings?.method?.trim();
  if (method === undefined || method === 'argocd') return plain;
  const colon = method.indexOf(':');
  if ((colon > 0 ? method.slice(0, colon) : method) !== 'git') {
    throw new ImagesError(
      'InvalidSettings',
      `there is no write-back method ${JSON.stringify(method)}: use argocd or git`,
    );
  }
  const git = settings?.gitConfig ?? {};
  return {
    ...plain,
    method: 'git',
    ...targetOf(git.writeBackTarget, path),
    ...branchesOf(git.branch),
    repository: git.repository ?? application.repoURL,
    credentials: gitCredentialSource(colon > 0 ? method.slice(colon + 1) : 'repocreds'),
    pullRequest: pullRequestOf(git),
  };
}

/** Outside the controller's namespace the file name includes the namespace, since two Applications may have the same name. */
function overrideFileName({ name, namespace }: WrittenApplication, controllerNamespace: string): string {
  const own = namespace === '' || namespace === controllerNamespace || controllerNamespace === 'default';
  return `${overrideFilePrefix}-${own ? '' : `${namespace}_`}${name}.yaml`;
}

function targetOf(target: string | undefined, path: string): Partial<WriteBack> {
  if (target === undefined) return {};
  if (/^kustomization(?::|$)/u.test(target)) return { kustomizeBase: kustomizeBase(target, path) };
  if (/^helmvalues(?::|$)/u.test(target)) return { target: valuesPath(target, path) };
  if (/^(?:kustomization\.ya?ml|Kustomization)$/u.test(posix.basename(target))) {
    throw new ImagesError(
      'InvalidTarget',
      `write-back-target ${target} is a kustomization, which parameters would replace: write kustomization:${posix.dirname(target)}`,
    );
  }
  return { target };
}

/** `kustomization[:PATH]`; a path with a leading slash is relative to the repository, others to the source. */
export const kustomizeBase = (target: string, path: string): string =>
  below(target.slice('kustomization'.length + 1) || '.', path);

/** `helmvalues[:PATH]`. */
export const valuesPath = (target: string, path: string): string =>
  below(target.slice('helmvalues'.length + 1) || 'values.yaml', path);

const below = (written: string, path: string): string =>
  written.startsWith('/') ? written.slice(1) : posix.join(path, written);

function branchesOf(text: string | undefined): Partial<WriteBack> {
  if (text === undefined) return {};
  const [branch = '', writeBranch = '', ...more] = text.trim().split(':');
  if (more.length > 0) {
    throw new ImagesError(
      'InvalidSettings',
      `git-branch ${JSON.stringify(text)} has too many colons: write BASE or BASE:TARGET`,
    );
  }
  return { branch, writeBranch };
}

export function gitCredentialSource(text: string): WriteBack['credentials'] {
  if (text === 'repocreds') return { kind: 'repocreds' };
  if (text.startsWith('secret:')) return { kind: 'secret', ref: text.slice('secret:'.length) };
  throw new ImagesError(
    'InvalidSettings',
    `git:${text} names no credentials: write git, git:repocreds or git:secret:[NAMESPACE/]NAME`,
  );
}

function pullRequestOf({
  branch,
  pullRequest,
}: NonNullable<WriteBackConfig['gitConfig']>): PullRequestSettings | undefined {
  if (!pullRequest) return undefined;
  if (branch?.includes(':')) {
    throw new ImagesError(
      'InvalidSettings',
      `a pull request names its own branch: write only the base in ${JSON.stringify(branch)}`,
    );
  }
  const providers = forgeNames.filter((name) => pullRequest[name] !== undefined);
  const [provider] = providers;
  if (!provider || providers.length > 1) {
    throw new ImagesError(
      'InvalidSettings',
      `pullRequest has ${providers.length} providers: give one of ${forgeNames.join(', ')}`,
    );
  }
  const labels = [...new Set((pullRequest.labels ?? []).flatMap((label) => label.trim() || []))];
  if (labels.length > 0 && !forges[provider].hasLabels)
    throw new ImagesError(
      'InvalidSettings',
      `pullRequest.labels: pull requests on ${forges[provider].title} have no labels; remove the field`,
    );
  return { provider, api: pullRequest[provider]?.api ?? '', labels };
}

/** Later settings win, per field; a pull request is one field. */
export function mergeWriteBack(global: WriteBackConfig | undefined, own: WriteBackConfig | undefined): WriteBackConfig {
  const gitConfig = { ...global?.gitConfig, ...own?.gitConfig };
  const method = own?.method ?? global?.method;
  return {
    ...(method === undefined ? {} : { method }),
    ...(Object.keys(gitConfig).length > 0 ? { gitConfig } : {}),
  };
}
