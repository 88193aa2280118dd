import { configKey, dns1123Label, fieldError, nameRules } from '@fairlead/apimachinery';
import { type Findings, invalid } from '../checks.ts';
import { envFieldPaths, fieldReference, resourceReference } from './downward.ts';
import { noBacksteps } from './paths.ts';
import type { EnvFromSource, EnvVar, KeyRef } from './types.ts';

const printable = "a valid environment variable name must consist only of printable ASCII characters other than '='";

export function envName(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]*$/.test(name) ? [] : [printable];
}

export function* env(variables: readonly EnvVar[] | undefined, path: string): Findings {
  for (const [index, variable] of (variables ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (!variable.name) yield fieldError.required(`${at}.name`);
    else yield* invalid(`${at}.name`, variable.name, envName(variable.name));
    if (variable.valueFrom) yield* valueFrom(variable, variable.valueFrom, `${at}.valueFrom`);
  }
}

const oneNeeded =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

function* valueFrom(variable: EnvVar, from: NonNullable<EnvVar['valueFrom']>, path: string): Findings {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from;
  if (fieldRef) yield* fieldReference(fieldRef, envFieldPaths, `${path}.fieldRef`);
  if (resourceFieldRef) yield* resourceReference(resourceFieldRef, false, `${path}.resourceFieldRef`);
  if (configMapKeyRef) yield* keyReference(configMapKeyRef, `${path}.configMapKeyRef`);
  if (secretKeyRef) yield* keyReference(secretKeyRef, `${path}.secretKeyRef`);
  if (fileKeyRef) yield* fileKey(fileKeyRef, `${path}.fileKeyRef`);
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length;
  if (sources === 0) yield fieldError.invalid(path, '', oneNeeded);
  else if (variable.value) yield fieldError.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (sources > 1) yield fieldError.invalid(path, '', 'may not have more than one field specified at a time');
}

function* keyReference(ref: KeyRef, path: string): Findings {
  yield* invalid(`${path}.name`, ref.name ?? '', nameRules.subdomain(ref.name ?? '', false));
  if (!ref.key) yield fieldError.required(`${path}.key`);
  else yield* invalid(`${path}.key`, ref.key, configKey(ref.key));
}

function* fileKey(ref: { key?: string; volumeName?: string; path?: string }, path: string): Findings {
  if (!ref.key) yield fieldError.required(`${path}.key`);
  else yield* invalid(`${path}.key`, ref.key, envName(ref.key));
  if (!ref.volumeName) yield fieldError.required(`${path}.volumeName`);
  else yield* invalid(`${path}.volumeName`, ref.volumeName, dns1123Label(ref.volumeName));
  if (!ref.path) yield fieldError.required(`${path}.path`);
  else yield* noBacksteps(ref.path, `${path}.path`);
}

export function* envFrom(sources: readonly EnvFromSource[] | undefined, path: string): Findings {
  for (const [index, { prefix, configMapRef, secretRef }] of (sources ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (prefix) yield* invalid(`${at}.prefix`, prefix, envName(prefix));
    if (configMapRef) yield* envSource(configMapRef, `${at}.configMapRef.name`);
    if (secretRef) yield* envSource(secretRef, `${at}.secretRef.name`);
    if (!configMapRef && !secretRef) {
      yield fieldError.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    } else if (configMapRef && secretRef) {
      yield fieldError.invalid(path, '', 'may not have more than one field specified at a time');
    }
  }
}

function* envSource({ name }: { name?: string }, path: string): Findings {
  if (!name) yield fieldError.required(path);
  else yield* invalid(path, name, nameRules.subdomain(name, true));
}
