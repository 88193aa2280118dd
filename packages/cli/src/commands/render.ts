import type { KubeObject } from '@fairlead/apimachinery';
import { type FetchRemote, parseManifests, renderSource, sourceTypeOf } from '@fairlead/render';
import { writeYaml } from '@fairlead/render/go-yaml';
import { type RenderedChart, renderChart, templateOutput } from '@fairlead/render/helm';
import { kustomizeYaml } from '@fairlead/render/kustomize';
import { folderTree } from '@fairlead/source/local';
import { CliError } from '../cli-error.ts';
import type { Command } from '../main.ts';
import { readOptions } from '../options.ts';
import { ownAccess, withFetching } from '../render/fetching.ts';
import { chartOptions, parseRenderArgs, type RenderFlags, sourceOf } from '../render/flags.ts';
import { type SourceFolder, sourceFolderAt, withRenderErrors } from '../render/source-folder.ts';
import { table } from '../table.ts';

const formats = ['yaml', 'json', 'objects'] as const;
type Format = (typeof formats)[number];

/** `fairlead render PATH`: prints the manifests of a folder. */
export const run: Command = async (args, environment) => {
  const { values: flags, positionals } = readOptions(() => parseRenderArgs(args));
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new CliError('usage: fairlead render PATH');
  const format = formats.find((known) => known === (flags.output ?? 'yaml'));
  if (!format) throw new CliError(`invalid -o ${flags.output}: use yaml, json or objects`);
  const place = sourceFolderAt(path, flags.root);
  const work = (fetchRemote?: FetchRemote) =>
    withRenderErrors(flags.root, () => render(place, flags, format, fetchRemote));
  const text = flags.offline ? await work() : await withFetching(environment, await ownAccess(flags.credentials), work);
  process.stdout.write(text);
  return 0;
};

async function render(
  place: SourceFolder,
  flags: RenderFlags,
  format: Format,
  fetchRemote: FetchRemote | undefined,
): Promise<string> {
  const fetching = fetchRemote ? { fetchRemote } : {};
  const tree = folderTree(place.root);
  const source = sourceOf(place, flags);
  const type = await sourceTypeOf(source, tree, place.path);
  if (type === 'Helm') {
    const chart = await renderChart(tree, place.path, { ...chartOptions(place, flags), ...fetching });
    const shown = { includeCrds: flags['include-crds'] ?? false, skipTests: flags['skip-tests'] ?? false };
    return format === 'yaml' ? templateOutput(chart, shown) : written(objectsOf(chart, shown), format);
  }
  if (format === 'yaml' && type === 'Kustomize' && source.kustomize === undefined)
    return kustomizeYaml(tree, place.path, fetching);
  const { manifests } = await renderSource(source, tree, fetching);
  return written(
    manifests.map(({ object }) => object),
    format,
  );
}

function objectsOf(
  { crds, manifests, hooks }: RenderedChart,
  { includeCrds, skipTests }: { includeCrds: boolean; skipTests: boolean },
): KubeObject[] {
  const files = [
    ...(includeCrds ? crds : []),
    ...manifests,
    ...hooks.filter(({ events }) => !skipTests || !events.includes('test')),
  ];
  return files.flatMap(({ path, content }) => parseManifests(path, content).map(({ object }) => object));
}

function written(objects: readonly KubeObject[], format: Format): string {
  if (format === 'json') return `${JSON.stringify(objects, null, 2)}\n`;
  if (format === 'yaml') return objects.map((object) => writeYaml(object)).join('---\n');
  const rows = objects.map(({ kind, apiVersion, metadata: { namespace = '', name } }) => [
    kind,
    namespace,
    name ?? '',
    apiVersion,
  ]);
  return table([['KIND', 'NAMESPACE', 'NAME', 'API VERSION'], ...rows]);
}
