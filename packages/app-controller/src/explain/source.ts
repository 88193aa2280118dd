import type { Application } from '@fairlead/api';
import { nameOf, sourcesOf, sourceText } from './application-text.ts';
import { type Chapter, conditionsOf, type ExplainInput, reason, sentence } from './reason.ts';

/** Spec, project and source come first: everything else depends on them. */
export function sourceTrouble(input: ExplainInput): Chapter | undefined {
  const { application } = input;
  const name = nameOf(application);
  const wrong = conditionsOf(input, /^(InvalidSpecError|UnknownError)$/u);
  const source = conditionsOf(input, /^ComparisonError$/u);
  if (wrong.length === 0 && source.length === 0 && !input.projectMissing) return undefined;
  const project = application.spec.project || 'default';
  const next = new Set<string>();
  for (const text of [...wrong, ...source]) next.add(remedyForSource(text, application));
  if (input.projectMissing)
    next.add(`create the project ${project}, or choose another: fairlead app set ${name} --project default`);
  return {
    title: source.length > 0 && wrong.length === 0 ? 'Why it cannot be compared' : 'Why it cannot be reconciled',
    reasons: [
      ...wrong.map((text) => reason(sentence(text))),
      ...source.map((text) =>
        reason(sentence(text), ...sourcesOf(application).map((one) => reason(`The source is ${sourceText(one)}.`))),
      ),
      ...(input.projectMissing && wrong.length === 0 ? [reason(`The project ${project} does not exist.`)] : []),
    ],
    next: [...next],
  };
}

const remedies: readonly (readonly [RegExp, (name: string, application: Application) => string])[] = [
  [
    /referencing project|project .* does not exist/iu,
    (name) => `choose a project that exists: fairlead get projects, fairlead app set ${name} --project NAME`,
  ],
  [
    /repo .* is not permitted/iu,
    (_, { spec }) =>
      `permit the repository in spec.sourceRepos of project ${spec.project || 'default'}, or use another project`,
  ],
  [
    /destination .* do not match/iu,
    (_, { spec }) =>
      `permit the destination in spec.destinations of project ${spec.project || 'default'}, or use another project`,
  ],
  [
    /is not permitted to use project/iu,
    (_, { metadata, spec }) =>
      `permit the namespace ${metadata.namespace} in spec.sourceNamespaces of project ${spec.project || 'default'}, or use another project`,
  ],
  [
    /signature by one of/iu,
    () => 'sign the commit and push it (git commit --amend -S, or a signed tag), or change the keys of the project',
  ],
  [
    /no cluster|cluster .* (does not exist|not found)/iu,
    (name) => `list the clusters with fairlead get clusters, then fairlead app set ${name} --dest-name NAME`,
  ],
  [/must specify --enable-helm/u, () => 'add --enable-helm to kustomize.buildOptions in ConfigMap argocd-cm'],
  [
    /kustomize version .* is not registered/u,
    () =>
      'register the version as kustomize.path.VERSION in ConfigMap argocd-cm, or remove kustomize.version from the source',
  ],
  [
    /--values .*no such file or directory|values file glob .* matched no files/u,
    () => 'correct helm.valueFiles of the source, or set helm.ignoreMissingValueFiles',
  ],
  [/contains non-string value in the map/u, () => 'put the value in quotes: labels and annotations are texts'],
  [
    /credential|authenti|password|denied|permission/iu,
    () =>
      'add credentials for the repository: a Secret in argocd with the label argocd.argoproj.io/secret-type: repository; see fairlead get repos',
  ],
  [
    /app path (does not exist|is not a directory|is absolute|outside root)/iu,
    (name) => `set an existing folder: fairlead app set ${name} --path DIR`,
  ],
  [
    /revision not found|has no (branch|tag|commit|version)/iu,
    (name) => `set an existing revision: fairlead app set ${name} --revision REV`,
  ],
  [
    /repository not found|was not found/iu,
    (name) => `set the URL of an existing repository: fairlead app set ${name} --repo URL`,
  ],
  [
    /timed? ?out|unreachable|connect|resolve host|ENOTFOUND|ECONN/iu,
    (name) => `check that the controller can reach the repository, then fairlead app refresh ${name}`,
  ],
];

/** What to do about a problem of spec, project or source. */
export function remedyForSource(text: string, application: Application): string {
  const name = nameOf(application);
  const found = remedies.find(([pattern]) => pattern.test(text));
  return found
    ? found[1](name, application)
    : `fix the source and commit, or fix the Application: fairlead app edit ${name}`;
}
