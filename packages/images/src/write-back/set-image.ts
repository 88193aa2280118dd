import type { Application } from '@fairlead/api';
import type { ImageRule } from '../config/image-rule.ts';
import type { WriteBack } from '../config/write-back.ts';
import { ImagesError } from '../images-error.ts';
import { fullName, type ImageReference, withVersion } from '../reference/image-reference.ts';
import { applicationTypeOf, type SourceAtLocation, sourceOf, withSource } from './application-source.ts';
import { imageInParameters, mergeParameters, parametersFor } from './helm-parameters.ts';
import { parametersInValues, writeToValues } from './helm-values.ts';
import { overrideOf, setOverride } from './kustomize-images.ts';
import { imageInVariables, mergeVariables, variablesFor } from './plugin-variables.ts';

type Written = Pick<WriteBack, 'method' | 'target' | 'kustomizeBase'>;
type Rule = Pick<ImageRule, 'image' | 'target'>;

const unsupported = ({ metadata }: Application): ImagesError =>
  new ImagesError(
    'NotSupported',
    `${metadata.name} is neither Helm nor Kustomize nor a plugin: its images cannot be set`,
  );

/** How an image is set in an Application. */
function mannerOf(
  application: Application,
  writeBack: Written | undefined,
  { target }: Rule,
): 'Helm' | 'Kustomize' | 'Plugin' {
  if (target.plugin.name !== '' || target.plugin.spec !== '') return 'Plugin';
  const type = applicationTypeOf(application, writeBack);
  if (type === 'Unsupported') throw unsupported(application);
  return type;
}

/** Whether Helm values inside the Application are updated in place. Files in Git are written from the parameters. */
const carriesValues = (writeBack: Written | undefined): boolean => writeBack?.method === 'argocd';

function requireSource(application: Application, writeBack: Written | undefined): SourceAtLocation {
  const source = sourceOf(application, writeBack);
  if (!source) throw new ImagesError('NotSupported', `${application.metadata.name} has no source`);
  return source;
}

/** The image in the spec; empty if it has none. */
export function imageInSpec(application: Application, writeBack: Written | undefined, rule: Rule): string {
  const { source } = requireSource(application, writeBack);
  switch (mannerOf(application, writeBack, rule)) {
    case 'Helm': {
      const { helm = {} } = source;
      const given = helm.parameters ?? [];
      if (!carriesValues(writeBack)) return imageInParameters(given, rule.target.helm);
      const names = parametersFor(withVersion(rule.image, { tag: '1', digest: undefined }), rule.target.helm);
      const inValues = parametersInValues(
        helm,
        names.map(({ name = '' }) => name),
        fullName(rule.image),
      );
      return imageInParameters([...given, ...inValues], rule.target.helm);
    }
    case 'Kustomize':
      return overrideOf(source.kustomize?.images ?? [], rule.image, rule.target.kustomize);
    case 'Plugin':
      return imageInVariables(source.plugin?.env ?? [], rule.target.plugin);
  }
}

/** The Application with a new version of an image, in the right source. */
export function setImage(
  application: Application,
  image: ImageReference,
  writeBack: Written | undefined,
  rule: Rule,
): Application {
  const { source, location } = requireSource(application, writeBack);
  const changed = { ...source };
  switch (mannerOf(application, writeBack, rule)) {
    case 'Helm': {
      const parameters = parametersFor(image, rule.target.helm);
      const { helm, left } = carriesValues(writeBack)
        ? writeToValues(source.helm ?? {}, parameters)
        : { helm: source.helm, left: parameters };
      changed.helm =
        left.length > 0 ? { ...helm, parameters: mergeParameters(source.helm?.parameters ?? [], left) } : { ...helm };
      break;
    }
    case 'Kustomize':
      changed.kustomize = {
        ...source.kustomize,
        images: setOverride(source.kustomize?.images ?? [], image, rule.target.kustomize),
      };
      break;
    case 'Plugin':
      changed.plugin = {
        ...source.plugin,
        env: mergeVariables(source.plugin?.env ?? [], variablesFor(image, rule.target.plugin)),
      };
      break;
  }
  return { ...application, spec: withSource(application.spec, { source: changed, location }) };
}
