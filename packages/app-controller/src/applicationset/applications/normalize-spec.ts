import type { ApplicationSource, ApplicationSpec } from '@fairlead/api';
import { isJsonObject, type Json } from '@fairlead/apimachinery';

/** The spec without the empty parts that mean nothing, as the application controller keeps it. */
export function normalizeSpec(spec: ApplicationSpec): ApplicationSpec {
  const { syncPolicy, source, sources, ...rest } = spec;
  return {
    ...rest,
    project: spec.project || 'default',
    ...(isEmptyPolicy(syncPolicy) ? {} : { syncPolicy }),
    ...(sources?.length ? { sources: sources.map(normalizeSource) } : {}),
    // Beside several sources, a single one is left as it is.
    ...(source === undefined ? {} : { source: sources?.length ? source : normalizeSource(source) }),
  };
}

const isEmptyPolicy = (policy: ApplicationSpec['syncPolicy']): boolean =>
  !policy || (!policy.automated && !policy.syncOptions?.length && !policy.retry && !policy.managedNamespaceMetadata);

/** Fields of each part that do not count by themselves. */
const uncounted = {
  helm: new Set<string>(),
  kustomize: new Set([
    'forceCommonLabels',
    'forceCommonAnnotations',
    'commonAnnotationsEnvsubst',
    'labelWithoutSelector',
    'labelIncludeTemplates',
  ]),
};

function normalizeSource(source: ApplicationSource): ApplicationSource {
  const { helm, kustomize, directory, ...rest } = source;
  return {
    ...rest,
    ...(helm && counts(helm, uncounted.helm) ? { helm } : {}),
    ...(kustomize && counts(kustomize, uncounted.kustomize) ? { kustomize } : {}),
    ...(directory && counts(directory, new Set()) ? { directory } : {}),
  };
}

const counts = (part: object, ignored: ReadonlySet<string>): boolean =>
  Object.entries(part).some(([name, value]) => !ignored.has(name) && !isZero(value));

function isZero(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isZero);
}
