import { type Application, type ApplicationSet, applicationKind } from '@fairlead/api';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  stringsAt,
  TypeMismatch,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import { limits } from '@fairlead/kube';
import { goOperation, goSpec } from './applications/go-shape.ts';
import { childParams } from './generators/children.ts';
import type { GeneratorEnv, GeneratorRun } from './generators/generator.ts';
import { GeneratorError } from './generators/generator-error.ts';
import { type Params, paramsOf } from './generators/params.ts';
import { transform } from './generators/transform.ts';
import { renderValue } from './template/render-value.ts';
import { RenderedApplications } from './template/rendered-applications.ts';
import { applyTemplatePatch } from './template/template-patch.ts';
import { TemplateError, type TextRenderer, textRenderer } from './template/text-renderer.ts';

export const resourcesFinalizer = 'resources-finalizer.argocd.argoproj.io';

/** Why there are no Applications: nothing is created, changed or deleted. */
export class GenerationFailed extends Error {
  readonly reason: 'ApplicationGenerationFromParamsError' | 'RenderTemplateParamsError';

  constructor(reason: GenerationFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The Applications that an ApplicationSet asks for now. Reads, and writes nothing. Throws a GenerationFailed. */
export async function generate(
  set: ApplicationSet,
  env: GeneratorEnv,
  rendered = new RenderedApplications(),
): Promise<Application[]> {
  const texts = openTexts(set);
  const run: GeneratorRun = {
    ...env,
    set,
    texts,
    goTemplate: set.spec.goTemplate ?? false,
    children: (nested, parent) => childParams(run, nested, parent),
  };
  const base = objectOf(toJson(set.spec.template));
  const applications: Application[] = [];
  rendered.begin(JSON.stringify([set.metadata.namespace, set.spec]));
  for (const [i, generator] of set.spec.generators.entries()) {
    const results = await transform(generator, run, { base, parent: paramsOf() }).catch((error: unknown) => {
      throw isExpected(error) ? new GenerationFailed('ApplicationGenerationFromParamsError', error.message) : error;
    });
    for (const [j, { params, template }] of results.entries()) {
      if (applications.length + params.length > limits.appSetApplications)
        throw new GenerationFailed(
          'ApplicationGenerationFromParamsError',
          `the generators give more than ${limits.appSetApplications} Applications`,
        );
      for (const one of params) {
        await texts.begin();
        applications.push(rendered.get(`${i}.${j}`, one, () => renderApplication(set, template, one, texts)));
      }
    }
  }
  return applications;
}

/** Errors of generators, sources and forges; those of this program are not among them. */
const isExpected = (error: unknown): error is Error =>
  error instanceof GeneratorError ||
  error instanceof TemplateError ||
  (error instanceof Error && ('reason' in error || 'retriable' in error));

function openTexts(set: ApplicationSet): TextRenderer {
  try {
    return textRenderer(set.spec);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new GenerationFailed('RenderTemplateParamsError', error.message);
  }
}

const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

function renderApplication(
  set: ApplicationSet,
  template: JsonObject,
  params: Params,
  texts: TextRenderer,
): Application {
  try {
    const rendered = params.size === 0 ? template : objectOf(renderValue(template, params, texts));
    const application = params.size === 0 ? rendered : withFinalizer(rendered, set);
    const { templatePatch } = set.spec;
    const patched =
      templatePatch === undefined
        ? application
        : applyTemplatePatch(application, patchText(templatePatch, params, texts));
    return applicationFrom(patched, set.metadata.namespace ?? '');
  } catch (error) {
    if (!(error instanceof TemplateError || error instanceof TypeMismatch)) throw error;
    throw new GenerationFailed('RenderTemplateParamsError', error.message);
  }
}

function patchText(template: string, params: Params, texts: TextRenderer): string {
  try {
    return texts.render(template, params);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError(`error replacing values in templatePatch: ${error.message}`);
  }
}

/** Without finalizers in the template, an Application deletes its resources, unless they are to be preserved. */
function withFinalizer(application: JsonObject, { spec }: ApplicationSet): JsonObject {
  const metadata = objectOf(application['metadata'] ?? {});
  const { finalizers } = metadata;
  if (spec.syncPolicy?.preserveResourcesOnDeletion || (Array.isArray(finalizers) && finalizers.length > 0))
    return application;
  return { ...application, metadata: { ...metadata, finalizers: [resourcesFinalizer] } };
}

function applicationFrom(value: JsonObject, namespace: string): Application {
  const metadata = value['metadata'];
  const labels = stringsAt(metadata, 'labels');
  const annotations = stringsAt(metadata, 'annotations');
  const finalizers = isJsonObject(metadata) && Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : [];
  return {
    apiVersion: `${applicationKind.type.group}/${applicationKind.type.version}`,
    kind: 'Application',
    metadata: {
      name: textAt(metadata, 'name'),
      namespace,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ...(finalizers.length > 0 ? { finalizers: finalizers.map(String) } : {}),
    },
    spec: goSpec(value['spec']),
    ...(isJsonObject(value['operation']) ? { operation: goOperation(value['operation']) } : {}),
  };
}
