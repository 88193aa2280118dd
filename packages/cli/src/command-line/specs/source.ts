import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

const root = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'folder that may be read; by default the repository that contains PATH, or PATH itself',
} as const;

export const render = defineCommand({
  name: 'render',
  args: 'PATH',
  count: [1, 1],
  summary: 'render a folder of manifests, a kustomization or a chart',
  about: `Prints the manifests of a folder: plain manifests, a kustomization or a Helm chart, detected by its files. Fetches dependencies of charts and remote
resources of kustomizations, and changes nothing. Errors name the file, the line and the expression.`,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['yaml', 'json', 'objects'],
      help: 'yaml as the tool prints it (default), one JSON list, or a table of the objects',
    },
    root,
    credentials: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'Argo CD repository Secrets, for the repositories that charts and kustomizations refer to',
    },
    offline: { type: 'boolean', help: 'fetch nothing; a missing dependency is an error' },
    values: {
      type: 'list',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      help: 'charts: value file, later ones win',
    },
    set: { type: 'list', value: 'NAME=VALUE', help: 'charts: set a value' },
    'set-string': { type: 'list', value: 'NAME=VALUE', help: 'charts: set a value, as a string' },
    'set-json': { type: 'list', value: 'NAME=JSON', help: 'charts: set a value, as JSON' },
    'set-file': { type: 'list', value: 'NAME=FILE', help: 'charts: set a value, from a file' },
    'release-name': { type: 'string', value: 'NAME', help: 'charts: name of the release' },
    namespace: { type: 'string', short: 'n', value: 'NS', help: 'charts: namespace of the release' },
    'include-crds': { type: 'boolean', help: 'charts: include the files in crds/' },
    'skip-tests': { type: 'boolean', help: 'charts: skip test hooks' },
    'skip-schema-validation': { type: 'boolean', help: 'charts: do not validate values with values.schema.json' },
    'kube-version': { type: 'string', value: 'V', help: 'charts: Kubernetes version for templates' },
    'api-versions': { type: 'list', value: 'API', help: 'charts: additional API version for templates' },
    'helm-version': { type: 'string', value: 'V', help: 'charts: Helm major version, 3 or 4' },
    'name-prefix': { type: 'string', value: 'TEXT', help: 'kustomizations: prefix for every name' },
    'name-suffix': { type: 'string', value: 'TEXT', help: 'kustomizations: suffix for every name' },
    image: { type: 'list', value: 'IMAGE', help: 'kustomizations: image override, [OLD=]NAME[:TAG][@DIGEST]' },
    recurse: { type: 'boolean', help: 'directories: include subfolders' },
    include: { type: 'string', value: 'GLOB', help: 'directories: only these files' },
    exclude: { type: 'string', value: 'GLOB', help: 'directories: skip these files' },
  },
  completes: 'folder',
  examples: ['render deploy/overlays/prod', 'render charts/web -f values-prod.yaml --set image.tag=1.2 -o objects'],
});

export const diff = defineCommand({
  name: 'diff',
  args: 'PATH',
  count: [1, 1],
  summary: 'show what a sync from a folder would change',
  about: `Renders a folder with the options of the Application and compares it with the live state: the changed fields of each object, and a summary. Values of
Secrets are hidden. Changes nothing.`,
  flags: {
    app: { type: 'string', value: 'NAME', completes: 'app', help: 'name of the Application' },
    'app-namespace': {
      type: 'string',
      value: 'NS',
      completes: 'namespace',
      help: 'namespace of the Application; argocd by default',
    },
    ...clusterFlags,
    'exit-code': { type: 'boolean', help: 'exit code 2 on a difference, the default; --no-exit-code exits with 0' },
    root,
    source: {
      type: 'string',
      value: 'N',
      help: 'number of the source that PATH replaces, from 1',
    },
    ref: { type: 'list', value: 'NAME=FOLDER', help: 'folder for $NAME/… in value files' },
  },
  completes: 'folder',
  examples: ['diff deploy/overlays/prod --app shop', 'diff charts/web --app web || echo "not yet delivered"'],
  codes: { 2: 'difference' },
});
