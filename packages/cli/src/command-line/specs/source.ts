import { defineCommand } from '../command.ts';
import { clusterFlags } from './shared-flags.ts';

const root = {
  type: 'string',
  value: 'DIR',
  completes: 'folder',
  help: 'the folder that may be read; the repository that PATH is in, else PATH itself',
} as const;

export const render = defineCommand({
  name: 'render',
  args: 'PATH',
  count: [1, 1],
  summary: 'what a folder of manifests, a kustomization or a chart comes to',
  about: `Prints what an Application would deliver from a folder: plain manifests, a kustomization or a Helm chart, found by what is in it. Nothing
is started and nothing is changed; what charts depend on and kustomizations name by address is fetched. Errors name the file, the line and the expression; the exit code is then 1.`,
  flags: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FORM',
      choices: ['yaml', 'json', 'objects'],
      help: 'yaml as the tool itself prints it (default), one JSON list, or a table of what there is',
    },
    root,
    credentials: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'Secrets as Argo CD has them, for repositories that charts and kustomizations name',
    },
    offline: { type: 'boolean', help: 'fetch nothing: what is not in the folder is an error' },
    values: {
      type: 'list',
      short: 'f',
      value: 'FILE',
      completes: 'file',
      help: 'charts: a value file, later ones win',
    },
    set: { type: 'list', value: 'NAME=VALUE', help: 'charts: one value' },
    'set-string': { type: 'list', value: 'NAME=VALUE', help: 'charts: one value, as text' },
    'set-json': { type: 'list', value: 'NAME=JSON', help: 'charts: one value, as JSON' },
    'set-file': { type: 'list', value: 'NAME=FILE', help: 'charts: one value, from a file' },
    'release-name': { type: 'string', value: 'NAME', help: 'charts: name of the release' },
    namespace: { type: 'string', short: 'n', value: 'NS', help: 'charts: the namespace that templates see' },
    'include-crds': { type: 'boolean', help: 'charts: also what is under crds/' },
    'skip-tests': { type: 'boolean', help: 'charts: leave out test hooks' },
    'skip-schema-validation': { type: 'boolean', help: 'charts: do not check values against values.schema.json' },
    'kube-version': { type: 'string', value: 'V', help: 'charts: the Kubernetes version that templates see' },
    'api-versions': { type: 'list', value: 'API', help: 'charts: an API version that templates see' },
    'helm-version': { type: 'string', value: 'V', help: 'charts: the Helm major version, 3 or 4' },
    'name-prefix': { type: 'string', value: 'TEXT', help: 'kustomizations: put before every name' },
    'name-suffix': { type: 'string', value: 'TEXT', help: 'kustomizations: put after every name' },
    image: { type: 'list', value: 'IMAGE', help: 'kustomizations: an image override, [OLD=]NAME[:TAG][@DIGEST]' },
    recurse: { type: 'boolean', help: 'directories: also the folders below' },
    include: { type: 'string', value: 'GLOB', help: 'directories: only these files' },
    exclude: { type: 'string', value: 'GLOB', help: 'directories: never these files' },
  },
  completes: 'folder',
  examples: ['render deploy/overlays/prod', 'render charts/web -f values-prod.yaml --set image.tag=1.2 -o objects'],
});

export const diff = defineCommand({
  name: 'diff',
  args: 'PATH',
  count: [1, 1],
  summary: 'what a sync from a folder would change of an Application',
  about: `Renders a folder as the Application would, with its options, and compares it with what is in the cluster: each object that differs with
its fields, and a line that counts. What Secrets hold is not shown. Nothing is changed.`,
  flags: {
    app: { type: 'string', value: 'NAME', completes: 'app', help: 'the Application' },
    'app-namespace': { type: 'string', value: 'NS', completes: 'namespace', help: 'its namespace; argocd when absent' },
    ...clusterFlags,
    'exit-code': { type: 'boolean', help: 'end with 2 when there is a difference, 0 when there is none, 1 on errors' },
    root,
    source: {
      type: 'string',
      value: 'N',
      help: 'of an Application with several sources, the one that PATH stands for, counted from 1',
    },
    ref: { type: 'list', value: 'NAME=FOLDER', help: 'a folder for $NAME/… in value files' },
  },
  completes: 'folder',
  examples: [
    'diff deploy/overlays/prod --app shop',
    'diff charts/web --app web --exit-code || echo "not yet delivered"',
  ],
  codes: { 2: 'there is a difference, and --exit-code asks for it' },
});
