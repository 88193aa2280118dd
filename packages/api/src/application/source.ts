import { anyObject, boolean, intOrString, list, mapOf, object, required, type Static, string } from '../schema.ts';

const jsonnetVariable = object({
  name: required(string()),
  value: required(string()),
  code: boolean('Whether the value is Jsonnet to evaluate and not a plain string.'),
});

export const directorySource = object(
  {
    recurse: boolean('Also read subdirectories.'),
    include: string('Only files whose path below the source’s path matches this glob; {a,b} for several.'),
    exclude: string('Never files whose path below the source’s path matches this glob; wins over include.'),
    disableExtensionFilter: boolean('Read every file that include matches, with any extension.'),
    jsonnet: object(
      {
        extVars: list(jsonnetVariable, 'External variables.'),
        tlas: list(jsonnetVariable, 'Top-level arguments.'),
        libs: list(string(), 'Folders searched for imports.'),
      },
      'How .jsonnet files are evaluated.',
    ),
  },
  'Plain manifests in a folder.',
);

export const helmSource = object(
  {
    releaseName: string('The release’s name; the Application’s when empty.'),
    namespace: string('The namespace that templates see; the destination’s when empty.'),
    valueFiles: list(string(), 'Value files, later ones win; globs and $ref/path are supported.'),
    ignoreMissingValueFiles: boolean('A missing value file is not an error.'),
    values: string('Values as YAML text; valuesObject wins over it.'),
    valuesObject: anyObject('Values as an object.'),
    parameters: list(
      object({
        name: string('Path of the value, as in --set.'),
        value: string(),
        forceString: boolean('Keep numbers and booleans as strings, as --set-string does.'),
      }),
      'Single values; they win over every file.',
    ),
    fileParameters: list(
      object({ name: string(), path: string('The file whose content is the value.') }),
      'Single values read from files.',
    ),
    passCredentials: boolean('Send the credentials of the repository also to other hosts of its charts.'),
    skipCrds: boolean('Skip the CRDs in crds/.'),
    skipSchemaValidation: boolean('Do not validate values against values.schema.json.'),
    skipTests: boolean('Skip test hooks.'),
    kubeVersion: string('The Kubernetes version that templates see; the destination’s when empty.'),
    apiVersions: list(
      string(),
      'The API versions that templates see, as [group/]version/kind; the destination’s when empty.',
    ),
    version: string('The Helm major version: 3 or 4.'),
  },
  'A Helm chart.',
);

export const kustomizeSource = object(
  {
    namePrefix: string('The prefix of all names.'),
    nameSuffix: string('The suffix of all names.'),
    namespace: string('Set on every namespaced object.'),
    images: list(string(), 'Image overrides, [old=]name[:tag][@digest].'),
    replicas: list(object({ name: required(string()), count: required(intOrString()) }), 'Replica counts by name.'),
    commonLabels: mapOf(string(), 'Labels for every object.'),
    labelWithoutSelector: boolean('Keep common labels out of selectors.'),
    labelIncludeTemplates: boolean('Add common labels to pod templates, but not to selectors.'),
    forceCommonLabels: boolean('Common labels replace those of the same key.'),
    commonAnnotations: mapOf(string(), 'Annotations for every object.'),
    commonAnnotationsEnvsubst: boolean('Replace ARGOCD_APP_… variables in the common annotations’ values.'),
    forceCommonAnnotations: boolean('Common annotations replace those of the same key.'),
    components: list(string(), 'Components added to the kustomization.'),
    ignoreMissingComponents: boolean('A missing component is not an error.'),
    patches: list(
      object({
        path: string(),
        patch: string(),
        target: object({
          group: string(),
          version: string(),
          kind: string(),
          name: string(),
          namespace: string(),
          labelSelector: string(),
          annotationSelector: string(),
        }),
        options: mapOf(boolean()),
      }),
      'Patches added to the kustomization.',
    ),
    kubeVersion: string('The Kubernetes version that charts inside the kustomization see.'),
    apiVersions: list(string(), 'The API versions that charts inside the kustomization see.'),
    version: string('The requested Kustomize version.'),
  },
  'A kustomization.',
);

export const pluginSource = object(
  {
    name: string(),
    env: list(object({ name: required(string()), value: required(string()) })),
    parameters: list(object({ name: string(), string: string(), array: list(string()), map: mapOf(string()) })),
  },
  'A config management plugin.',
);

export const applicationSource = object(
  {
    repoURL: required(string('Where the manifests are: a Git repository, a Helm repository or an OCI registry.')),
    path: string('The folder in the repository.'),
    targetRevision: string('Branch, tag, commit or version range; HEAD when empty.'),
    tagPrefix: string('Only tags with this prefix count when targetRevision is a version range.'),
    chart: string('The chart’s name, where repoURL is a Helm repository.'),
    directory: directorySource,
    helm: helmSource,
    kustomize: kustomizeSource,
    plugin: pluginSource,
    ref: string('The name with which other sources refer to value files of this one.'),
    name: string('The name of this source.'),
  },
  'Where manifests come from.',
);

export interface ApplicationSource extends Static<typeof applicationSource> {}
export interface DirectorySource extends Static<typeof directorySource> {}
