import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApplicationSource } from '@fairlead/api';
import type { ChartOptions } from '@fairlead/render/helm';
import { CliError } from '../cli-error.ts';
import type { SourceFolder } from './source-folder.ts';

/** Render options from flags. */
const renderFlags = {
  root: { type: 'string' },
  credentials: { type: 'string' },
  offline: { type: 'boolean' },
  values: { type: 'string', short: 'f', multiple: true },
  set: { type: 'string', multiple: true },
  'set-string': { type: 'string', multiple: true },
  'set-json': { type: 'string', multiple: true },
  'set-file': { type: 'string', multiple: true },
  'release-name': { type: 'string' },
  namespace: { type: 'string', short: 'n' },
  'include-crds': { type: 'boolean' },
  'skip-tests': { type: 'boolean' },
  'skip-schema-validation': { type: 'boolean' },
  'kube-version': { type: 'string' },
  'api-versions': { type: 'string', multiple: true },
  'helm-version': { type: 'string' },
  'name-prefix': { type: 'string' },
  'name-suffix': { type: 'string' },
  image: { type: 'string', multiple: true },
  recurse: { type: 'boolean' },
  include: { type: 'string' },
  exclude: { type: 'string' },
} as const;

export const parseRenderArgs = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' }, ...renderFlags },
    allowPositionals: true,
  });

export type RenderFlags = ReturnType<typeof parseRenderArgs>['values'];

export function chartOptions(place: SourceFolder, flags: RenderFlags): ChartOptions {
  return {
    release: {
      ...(flags['release-name'] ? { name: flags['release-name'] } : {}),
      ...(flags.namespace ? { namespace: flags.namespace } : {}),
    },
    ...(flags.values ? { valueFiles: flags.values.map((file) => valueFile(place, file)) } : {}),
    ...(flags.set ? { set: flags.set } : {}),
    ...(flags['set-string'] ? { setString: flags['set-string'] } : {}),
    ...(flags['set-json'] ? { setJson: flags['set-json'] } : {}),
    ...(flags['set-file'] ? { setFile: flags['set-file'] } : {}),
    ...(flags['kube-version'] ? { kubeVersion: flags['kube-version'] } : {}),
    ...(flags['api-versions'] ? { apiVersions: flags['api-versions'].flatMap((list) => list.split(',')) } : {}),
    ...(flags['helm-version'] ? { helmVersion: flags['helm-version'] } : {}),
    ...(flags['skip-schema-validation'] ? { skipSchemaValidation: true } : {}),
  };
}

/** Value files are relative to the chart, as in an Application, or else to the working directory. */
function valueFile({ folder, root }: SourceFolder, written: string): string {
  const here = resolve(written);
  if (existsSync(resolve(folder, written)) || !existsSync(here)) return written;
  const inTree = relative(root, here).split(sep).join('/');
  if (inTree.startsWith('../'))
    throw new CliError(`value file ${written} is outside of ${root}: set --root to a folder that contains both`);
  return `/${inTree}`;
}

/** The flags of kustomizations and directories as fields of an Application. */
export function sourceOf({ path }: SourceFolder, flags: RenderFlags): ApplicationSource {
  const kustomize = {
    ...(flags['name-prefix'] ? { namePrefix: flags['name-prefix'] } : {}),
    ...(flags['name-suffix'] ? { nameSuffix: flags['name-suffix'] } : {}),
    ...(flags.image ? { images: flags.image } : {}),
  };
  const directory = {
    ...(flags.recurse ? { recurse: true } : {}),
    ...(flags.include ? { include: flags.include } : {}),
    ...(flags.exclude ? { exclude: flags.exclude } : {}),
  };
  return {
    repoURL: '.',
    path: path === '' ? '.' : path,
    ...(Object.keys(kustomize).length > 0 ? { kustomize } : {}),
    ...(Object.keys(directory).length > 0 ? { directory } : {}),
  };
}
