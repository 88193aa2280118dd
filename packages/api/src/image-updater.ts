import type { KubeObject } from '@fairlead/apimachinery';
import { defineKind } from './kind.ts';
import { boolean, int32, int64, list, mapOf, object, oneOf, required, type Static, string, time } from './schema.ts';

const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;
const texts = (description: string) => list(string(), { description, ...atomic });

const updateSettings = object(
  {
    updateStrategy: string('The update strategy; semver when absent.'),
    forceUpdate: boolean('Update also an image that does not run yet.'),
    allowTags: string('any, or regexp:EXPRESSION.'),
    ignoreTags: texts('Globs of ignored tags.'),
    pullSecret: string('Credentials: pullsecret:NAMESPACE/NAME or secret:NAMESPACE/NAME#FIELD.'),
    platforms: texts('OS/ARCHITECTURE[/VARIANT] that an image must support.'),
  },
  'How newer tags are found; the settings closest to the image win.',
);

const verification = object(
  {
    enabled: boolean({ default: true, description: 'false permits unsigned images.' }),
    cosignKey: object(
      { secretName: required(string()), key: required(string('The field of the Secret with the key in PEM.')) },
      'A Secret in this namespace with the public key that verifies signatures.',
    ),
  },
  {
    description: 'Only images with a valid signature are written, pinned to the verified digest.',
    'x-kubernetes-validations': [
      {
        message: 'at least one verification method (cosignKey) is required when verification is enabled',
        rule: 'self.enabled == false || has(self.cosignKey)',
      },
    ],
  },
);

const forge = (title: string) =>
  object(
    {
      api: string({
        pattern: '^https?://',
        description: 'The address of its API; derived from the repository if empty.',
      }),
    },
    `Open a pull request on ${title}.`,
  );

const pullRequest = object(
  {
    github: forge('GitHub'),
    gitlab: forge('GitLab'),
    gitea: forge('Gitea or Forgejo'),
    bitbucket: forge('Bitbucket Cloud'),
    bitbucketServer: forge('Bitbucket Server or Data Center'),
    azuredevops: forge('Azure DevOps'),
    labels: list(string({ minLength: 1, maxLength: 255 }), { maxItems: 100, ...atomic }),
  },
  {
    description: 'Open a pull request for the change instead of pushing to the branch.',
    'x-kubernetes-validations': [
      {
        message: 'Exactly one of github or gitlab must be set',
        // The server limits the cost of rules in a list without a limit: the image updater reports other combinations.
        rule: '!(has(self.github) && has(self.gitlab))',
      },
    ],
  },
);

const writeBack = object(
  {
    method: string({
      pattern: '^(argocd|git|git:[a-zA-Z0-9][a-zA-Z0-9-._/:]*)$',
      description: 'argocd, git, git:repocreds or git:secret:[NAMESPACE/]NAME.',
    }),
    gitConfig: object({
      repository: string('The repository to commit to; the source’s when empty.'),
      branch: string('BASE, or BASE:TEMPLATE for another branch to push to.'),
      writeBackTarget: string('helmvalues[:PATH], kustomization[:PATH], or a file for parameters.'),
      pullRequest,
    }),
  },
  'Where new versions are written.',
);

const environmentName = (description: string) => string({ minLength: 1, maxLength: 253, description });

const manifestTargets = object(
  {
    helm: object({
      name: string('Path of the value with the image name.'),
      tag: string('Path of the value with the tag.'),
      spec: string('Path of the value with both; name and tag are ignored then.'),
    }),
    kustomize: object({ name: required(string('The name of the image in the manifests.')) }),
    plugin: object(
      {
        name: environmentName('The variable with the image name.'),
        tag: environmentName('The variable with the tag.'),
        spec: environmentName('The variable with both.'),
      },
      {
        'x-kubernetes-validations': [
          {
            message: 'At least one of spec or name must be specified in plugin target.',
            rule: 'has(self.spec) || has(self.name)',
          },
        ],
      },
    ),
  },
  {
    description: 'The location of the image in the manifests.',
    'x-kubernetes-validations': [
      {
        message:
          'Exactly one of helm, kustomize, or plugin must be specified within manifestTargets if the block is present.',
        rule: '(has(self.helm) ? 1 : 0) + (has(self.kustomize) ? 1 : 0) + (has(self.plugin) ? 1 : 0) == 1',
      },
    ],
  },
);

const imageConfig = object({
  alias: required(string({ pattern: '^[a-zA-Z0-9][a-zA-Z0-9-._]*$', description: 'A short name for the image.' })),
  imageName: required(string('[REGISTRY/]NAME[:CONSTRAINT].')),
  commonUpdateSettings: updateSettings,
  manifestTargets,
  imagesVerification: verification,
});

const labelSelectors = object(
  {
    matchLabels: mapOf(string()),
    matchExpressions: list(
      object({ key: required(string()), operator: required(string()), values: list(string(), atomic) }),
      atomic,
    ),
  },
  { 'x-kubernetes-map-type': 'atomic' },
);

const applicationRef = object(
  {
    namePattern: required(string('A glob over the names of Applications in this namespace.')),
    labelSelectors,
    useAnnotations: boolean({ default: false, description: 'Read the settings from the Application’s annotations.' }),
    images: list(imageConfig, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['alias'] }),
    commonUpdateSettings: updateSettings,
    imagesVerification: verification,
    writeBackConfig: writeBack,
  },
  {
    'x-kubernetes-validations': [
      {
        message: 'Either useAnnotations must be true, or images must be provided with at least one item',
        rule: '!(has(self.useAnnotations) && self.useAnnotations == true) ? (has(self.images) && size(self.images) > 0) : true',
      },
    ],
  },
);

const condition = object({
  type: required(
    string({
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
  ),
  status: required(oneOf(['True', 'False', 'Unknown'])),
  reason: required(string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' })),
  message: required(string({ maxLength: 32768 })),
  lastTransitionTime: required(time()),
  observedGeneration: int64({ minimum: 0 }),
});

const recentUpdate = object({
  alias: required(string()),
  image: required(string()),
  newVersion: required(string()),
  applicationsUpdated: required(int32({ minimum: 0 })),
  updatedAt: required(time()),
  message: string(),
});

const schema = object({
  spec: object(
    {
      applicationRefs: required(
        list(applicationRef, {
          description: 'The selected Applications; the most specific matching rule applies.',
          minItems: 1,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['namePattern'],
        }),
      ),
      commonUpdateSettings: updateSettings,
      imagesVerification: verification,
      writeBackConfig: writeBack,
    },
    'The Applications and images to keep up to date, and how.',
  ),
  status: object({
    observedGeneration: int64({ minimum: 0 }),
    applicationsMatched: int32({ minimum: 0 }),
    imagesManaged: int32({ minimum: 0 }),
    lastCheckedAt: time(),
    lastUpdatedAt: time(),
    recentUpdates: list(recentUpdate, atomic),
    conditions: list(condition, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
  }),
});

export const imageUpdaterKind = defineKind({
  group: 'argocd-image-updater.argoproj.io',
  version: 'v1alpha1',
  kind: 'ImageUpdater',
  plural: 'imageupdaters',
  namespaced: true,
  description: 'Keeps images of Applications up to date.',
  schema,
  // More forges than upstream, and with them another rule.
  additions: [
    'spec.writeBackConfig.gitConfig.pullRequest',
    'spec.applicationRefs[].writeBackConfig.gitConfig.pullRequest',
  ],
  statusSubresource: true,
  printerColumns: [
    { name: 'Apps', type: 'integer', jsonPath: '.status.applicationsMatched' },
    { name: 'Images', type: 'integer', jsonPath: '.status.imagesManaged' },
    { name: 'Last Checked', type: 'date', jsonPath: '.status.lastCheckedAt' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
});

export interface ImageUpdater extends KubeObject, Static<typeof schema> {}
export type ImageUpdaterCondition = Static<typeof condition>;
export type ApplicationRef = Static<typeof applicationRef>;
export type ImageConfig = Static<typeof imageConfig>;
export type ImageUpdateSettings = Static<typeof updateSettings>;
export type ImagesVerification = Static<typeof verification>;
export type ManifestTargets = Static<typeof manifestTargets>;
export type WriteBackConfig = Static<typeof writeBack>;
export type LabelSelectors = Static<typeof labelSelectors>;
