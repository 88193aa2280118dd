import type { Json } from '@fairlead/apimachinery';
import { boolean, int64, list, mapOf, object, required, type Schema, type Static, string } from '../schema.ts';
import { pullRequestForges, scmForges } from './forges.ts';
import { applicationSetTemplate } from './template.ts';

const atomic = { 'x-kubernetes-list-type': 'atomic' } as const;

export const labelSelector = object(
  {
    matchLabels: mapOf(string()),
    matchExpressions: list(
      object({ key: required(string()), operator: required(string()), values: list(string(), atomic) }),
      atomic,
    ),
  },
  { 'x-kubernetes-map-type': 'atomic' },
);

/** Any JSON value. */
const anyValue: Schema<Json> = { 'x-kubernetes-preserve-unknown-fields': true };

const common = {
  template: applicationSetTemplate,
  requeueAfterSeconds: int64('How often the generator runs again.'),
  values: mapOf(string(), 'More parameters, values.NAME; they may refer to the other parameters.'),
};

const pathItem = object({ path: required(string('A glob.')), exclude: boolean() });

const terminal = {
  list: object({ elements: list(anyValue), elementsYaml: string(), template: common.template }),
  clusters: object({
    selector: labelSelector,
    template: common.template,
    values: common.values,
    flatList: boolean('One set of parameters with all clusters in the list clusters.'),
  }),
  git: object({
    repoURL: required(string()),
    directories: list(pathItem),
    files: list(pathItem),
    revision: required(string()),
    pathParamPrefix: string('The parameters of the path are under this name.'),
    ...common,
  }),
  scmProvider: object({
    ...scmForges,
    filters: list(
      object({
        repositoryMatch: string(),
        pathsExist: list(string()),
        pathsDoNotExist: list(string()),
        labelMatch: string(),
        branchMatch: string(),
      }),
      'A repository must match one of them.',
    ),
    cloneProtocol: string('ssh or https.'),
    ...common,
  }),
  clusterDecisionResource: object({
    configMapRef: required(string('Which resources name clusters, and where.')),
    name: string(),
    labelSelector,
    ...common,
  }),
  pullRequest: object({
    ...pullRequestForges,
    filters: list(
      object({ branchMatch: string(), targetBranchMatch: string(), titleMatch: string() }),
      'A request must match one of them.',
    ),
    continueOnRepoNotFoundError: boolean('A repository that does not exist has no requests, and is not an error.'),
    ...common,
  }),
  plugin: object({
    configMapRef: required(object({ name: required(string()) })),
    input: object({ parameters: mapOf(anyValue) }),
    ...common,
  }),
};

const nested = object({ ...terminal, matrix: anyValue, merge: anyValue, selector: labelSelector });

export const generator = object({
  ...terminal,
  matrix: object({ generators: required(list(nested)), template: common.template }),
  merge: object({
    generators: required(list(nested)),
    mergeKeys: required(list(string())),
    template: common.template,
  }),
  selector: labelSelector,
});

export interface Generator extends Static<typeof generator> {}
export interface LabelSelectorSpec extends Static<typeof labelSelector> {}
