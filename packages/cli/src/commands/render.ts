import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import type { ApplicationSource } from '@fairlead/api';
import { RenderError, renderSource, sourceTypeOf } from '@fairlead/render';
import { writeYaml } from '@fairlead/render/go-yaml/index';
import { renderChart, templateOutput } from '@fairlead/render/helm/index';
import { kustomizeYaml } from '@fairlead/render/kustomize/index';
import { folderTree } from '@fairlead/source';
import { Complaint } from '../complaint.ts';
import type { Command } from '../main.ts';
import { readOptions } from '../options.ts';

const options = {
  output: { type: 'string', short: 'o' },
  root: { type: 'string' },
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

type Flags = ReturnType<typeof parse>['values'];
const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });

/** `fairlead render PATH`: what an Application would deliver from that folder, on standard output. */
export const run: Command = async (args) => {
  const { values: flags, positionals } = readOptions(() => parse(args));
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new Complaint('render takes one folder: fairlead render PATH');
  const format = flags.output ?? 'yaml';
  if (!['yaml', 'json', 'objects'].includes(format))
    throw new Complaint(`-o ${format} is not known: yaml, json or objects`);
  const place = resolve(path);
  if (!existsSync(place) || !statSync(place).isDirectory())
    throw new Complaint(`${path} is no folder: give the one that holds the manifests`);
  const root = flags.root === undefined ? repositoryTop(place) : resolve(flags.root);
  const inTree = relative(root, place).split(sep).join('/');
  try {
    process.stdout.write(await render(root, inTree, flags, format));
    return 0;
  } catch (error) {
    if (error instanceof RenderError) throw new Complaint(hinted(error, flags), { cause: error });
    throw error;
  }
};

/** The top of the repository that the folder is in, so that `../base` can be read; the folder itself when it is in none. */
export function repositoryTop(place: string): string {
  for (let here = place; ; here = dirname(here)) {
    if (existsSync(join(here, '.git'))) return here;
    if (dirname(here) === here) return place;
  }
}

function hinted(error: RenderError, flags: Flags): string {
  const outside = error.reason === 'PathOutsideTree' && flags.root === undefined;
  return outside ? `${error.message}; --root DIR names the folder that may be read` : error.message;
}

async function render(root: string, path: string, flags: Flags, format: string): Promise<string> {
  const tree = folderTree(root);
  const source = sourceOf(path, flags);
  const type = await sourceTypeOf(source, tree, path);
  if (format === 'yaml' && type === 'Helm') {
    const chart = await renderChart(tree, path, chartOptions(flags));
    return templateOutput(chart, {
      includeCrds: flags['include-crds'] ?? false,
      skipTests: flags['skip-tests'] ?? false,
    });
  }
  if (format === 'yaml' && type === 'Kustomize' && source.kustomize === undefined) return kustomizeYaml(tree, path);
  const { manifests } = await renderSource(source, tree);
  const objects = manifests.map(({ object }) => object);
  if (format === 'json') return `${JSON.stringify(objects, null, 2)}\n`;
  if (format === 'objects') return table(objects);
  return objects.map((object) => `---\n${writeYaml(object)}`).join('');
}

function chartOptions(flags: Flags) {
  return {
    release: {
      ...(flags['release-name'] ? { name: flags['release-name'] } : {}),
      ...(flags.namespace ? { namespace: flags.namespace } : {}),
    },
    ...(flags.values ? { valueFiles: flags.values } : {}),
    ...(flags.set ? { set: flags.set } : {}),
    ...(flags['set-string'] ? { setString: flags['set-string'] } : {}),
    ...(flags['set-json'] ? { setJson: flags['set-json'] } : {}),
    ...(flags['set-file'] ? { setFile: flags['set-file'] } : {}),
    ...(flags['kube-version'] ? { kubeVersion: flags['kube-version'] } : {}),
    ...(flags['api-versions'] ? { apiVersions: flags['api-versions'] } : {}),
    ...(flags['helm-version'] ? { helmVersion: flags['helm-version'] } : {}),
    ...(flags['skip-schema-validation'] ? { skipSchemaValidation: true } : {}),
  };
}

/** The flags as an Application would write them. */
export function sourceOf(path: string, flags: Flags): ApplicationSource {
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
  } as ApplicationSource;
}

function table(
  objects: readonly { kind: string; apiVersion: string; metadata: { name?: string; namespace?: string } }[],
): string {
  const rows = [
    ['KIND', 'NAMESPACE', 'NAME', 'API VERSION'],
    ...objects.map(({ kind, apiVersion, metadata }) => [
      kind,
      metadata.namespace ?? '',
      metadata.name ?? '',
      apiVersion,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('   ')
          .trimEnd()}\n`,
    )
    .join('');
}
