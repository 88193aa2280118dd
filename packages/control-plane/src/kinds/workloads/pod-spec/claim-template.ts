import {
  dns1123Label,
  dns1123Subdomain,
  fieldError,
  nameRules,
  validateLabelSelector,
  validateLabels,
} from '@fairlead/apimachinery';
import { type Findings, invalid, oneOf } from '../checks.ts';
import { same } from '../equality.ts';
import { isPositive } from '../resources/resource-list.ts';
import { annotations } from './annotations.ts';
import type { ClaimSpec, ClaimTemplate } from './volume-types.ts';

/** The claim of an ephemeral volume. */
export function* claimTemplate(template: ClaimTemplate, path: string): Findings {
  const { labels, annotations: given, ...rest } = template.metadata ?? {};
  yield* annotations(given, `${path}.metadata.annotations`);
  yield* validateLabels(labels, `${path}.metadata.labels`);
  for (const field of Object.keys(rest)) yield fieldError.forbidden(`${path}.metadata.${field}`, 'cannot be set');
  yield* claimSpec(template.spec ?? {}, `${path}.spec`);
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function* claimSpec(spec: ClaimSpec, path: string): Findings {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) yield fieldError.required(`${path}.accessModes`, 'at least 1 access mode is required');
  yield* validateLabelSelector(spec.selector, `${path}.selector`);
  for (const mode of modes) yield* oneOf(mode, accessModes, `${path}.accessModes`);
  const known = new Set(modes.filter((mode) => accessModes.includes(mode)));
  if (known.has('ReadWriteOncePod') && known.size > 1) {
    yield fieldError.forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes');
  }
  const storage = spec.resources?.requests?.['storage'];
  const at = `${path}.resources[storage]`;
  if (storage === undefined) yield fieldError.required(at);
  else if (!isPositive(storage)) yield fieldError.invalid(at, storage, 'must be greater than zero');
  yield* className(spec.storageClassName, `${path}.storageClassName`);
  yield* oneOf(spec.volumeMode, ['Block', 'Filesystem'], `${path}.volumeMode`);
  yield* dataSources(spec, path);
  yield* className(spec.volumeAttributesClassName, `${path}.volumeAttributesClassName`);
}

function* className(name: string | undefined, path: string): Findings {
  if (name) yield* invalid(path, name, nameRules.subdomain(name, false));
}

function* dataSources({ dataSource, dataSourceRef }: ClaimSpec, path: string): Findings {
  if (dataSource) yield* reference(dataSource, `${path}.dataSource`);
  if (dataSourceRef) {
    yield* reference(dataSourceRef, `${path}.dataSourceRef`);
    const namespace = dataSourceRef.namespace;
    if (namespace) yield* invalid(`${path}.dataSourceRef.namespace`, namespace, dns1123Label(namespace));
  }
  if (!dataSource || !dataSourceRef) return;
  const { namespace, ...local } = dataSourceRef;
  if (namespace) {
    const detail = 'may not be specified when dataSourceRef.namespace is specified';
    yield fieldError.invalid(path, {}, detail);
  } else if (!same(dataSource, local)) yield fieldError.invalid(path, {}, 'must match dataSourceRef');
}

function* reference(source: NonNullable<ClaimSpec['dataSource']>, path: string): Findings {
  if (!source.name) yield fieldError.required(`${path}.name`);
  if (!source.kind) yield fieldError.required(`${path}.kind`);
  if (!source.apiGroup) {
    if (source.kind === 'PersistentVolumeClaim') return;
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    yield fieldError.invalid(path, source.kind ?? '', detail);
  } else yield* invalid(`${path}.apiGroup`, source.apiGroup, dns1123Subdomain(source.apiGroup));
}
