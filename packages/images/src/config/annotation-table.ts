export const annotationPrefix = 'argocd-image-updater.argoproj.io';

export interface AnnotationDefinition {
  readonly suffix: string;
  /** `image` annotations are written `ALIAS.suffix`; `both` are allowed with and without an alias. */
  readonly scope: 'application' | 'image' | 'both';
  readonly type: 'text' | 'boolean' | 'list';
  readonly description: string;
}

/** The annotations of Argo CD Image Updater. The reader uses this table, and docs/images.md is checked against it. */
export const annotationTable = {
  imageList: { suffix: 'image-list', scope: 'application', type: 'list', description: 'the images to update' },
  updateStrategy: { suffix: 'update-strategy', scope: 'both', type: 'text', description: 'the update strategy' },
  allowTags: { suffix: 'allow-tags', scope: 'both', type: 'text', description: 'tags to consider' },
  ignoreTags: { suffix: 'ignore-tags', scope: 'both', type: 'list', description: 'tags to ignore, as globs' },
  forceUpdate: {
    suffix: 'force-update',
    scope: 'both',
    type: 'boolean',
    description: 'update also an image that is not running',
  },
  pullSecret: { suffix: 'pull-secret', scope: 'both', type: 'text', description: 'credentials of the registry' },
  platforms: { suffix: 'platforms', scope: 'image', type: 'list', description: 'platforms the image must support' },
  helmName: { suffix: 'helm.image-name', scope: 'image', type: 'text', description: 'the Helm value with the name' },
  helmTag: { suffix: 'helm.image-tag', scope: 'image', type: 'text', description: 'the Helm value with the tag' },
  helmSpec: { suffix: 'helm.image-spec', scope: 'image', type: 'text', description: 'the Helm value with both' },
  kustomizeName: {
    suffix: 'kustomize.image-name',
    scope: 'image',
    type: 'text',
    description: 'the image name in the manifests',
  },
  writeBackMethod: { suffix: 'write-back-method', scope: 'application', type: 'text', description: 'argocd or git' },
  writeBackTarget: {
    suffix: 'write-back-target',
    scope: 'application',
    type: 'text',
    description: 'the file that is changed',
  },
  gitBranch: { suffix: 'git-branch', scope: 'application', type: 'text', description: 'the branches to read and push' },
  gitRepository: {
    suffix: 'git-repository',
    scope: 'application',
    type: 'text',
    description: "a repository other than the source's",
  },
} as const satisfies Record<string, AnnotationDefinition>;

export type AnnotationName = keyof typeof annotationTable;

type NameOfType<T> = {
  [K in AnnotationName]: (typeof annotationTable)[K]['type'] extends T ? K : never;
}[AnnotationName];
export type TextAnnotation = NameOfType<'text'>;
export type BooleanAnnotation = NameOfType<'boolean'>;
export type ListAnnotation = NameOfType<'list'>;

/** The full name of an annotation; undefined if it does not exist at this scope. */
export function annotationKey(name: AnnotationName, alias: string): string | undefined {
  const { suffix, scope } = annotationTable[name];
  if (alias === '') return scope === 'image' ? undefined : `${annotationPrefix}/${suffix}`;
  return scope === 'application' ? undefined : `${annotationPrefix}/${alias}.${suffix}`;
}
