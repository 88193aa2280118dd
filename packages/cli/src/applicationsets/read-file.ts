import { type ApplicationSet, applicationSetKind } from '@fairlead/api';
import { isKubeObject } from '@fairlead/apimachinery';
import { parseManifests } from '@fairlead/render';
import { readText } from '../applications/spec/source-from-flags.ts';
import { CliError } from '../cli-error.ts';
import { controlPlaneNamespace } from '../install.ts';

/** The ApplicationSets in a file, checked against the schema. */
export function readSets(file: string, namespace: string | undefined): ApplicationSet[] {
  const objects = parseManifests(file, readText('file', file)).map(({ object }) => object);
  const sets = objects.filter(({ kind }) => kind === 'ApplicationSet');
  if (sets.length === 0) throw new CliError(`${file} contains no ApplicationSet`);
  return sets.map((object) => {
    const problems = applicationSetKind.validate(object).map(({ field, message }) => `  ${field} ${message}`);
    if (!isSet(object) || problems.length > 0) throw new CliError(`${file} is not valid:\n${problems.join('\n')}`);
    const { metadata } = object;
    const home = namespace ?? metadata.namespace ?? controlPlaneNamespace;
    return { ...object, metadata: { ...metadata, namespace: home } };
  });
}

/** The one ApplicationSet in a file. */
export function readSet(file: string, namespace: string | undefined): ApplicationSet {
  const [set, ...others] = readSets(file, namespace);
  if (!set || others.length > 0) throw new CliError(`${file} contains ${others.length + 1} ApplicationSets: use one`);
  return set;
}

const isSet = (value: unknown): value is ApplicationSet => isKubeObject(value) && value.kind === 'ApplicationSet';
