import { GoMap, type GoValue } from '../go-template/go-value.ts';
import { readYaml, YamlError } from '../go-yaml/index.ts';
import { splitDocuments } from '../go-yaml/split-documents.ts';
import { RenderError } from '../render-error.ts';
import { fromPlain } from '../sprig/plain.ts';
import { readChartArchive } from './archive.ts';
import { mergeMaps } from './merge-maps.ts';
import { type ChartMetadata, readDependencies, readMetadata, yamlFields } from './metadata.ts';

/** A chart and its dependencies. */
export interface Chart {
  readonly metadata: ChartMetadata;
  readonly values: GoMap;
  readonly schema: Uint8Array | undefined;
  /** Under `templates/`, by path. */
  readonly templates: ReadonlyMap<string, Uint8Array>;
  /** All other files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The charts in `charts/`. */
  readonly dependencies: readonly Chart[];
}

const maxDepth = 32;

/** Loads a chart from its files. `where` is used in messages. */
export function loadChart(where: string, files: ReadonlyMap<string, Uint8Array>, depth = 0): Chart {
  if (depth > maxDepth) throw new RenderError('TooLarge', `${where}: charts are nested more than ${maxDepth} deep`);
  const at = (path: string): string => (where === '' ? path : `${where}/${path}`);
  const chartFile = files.get('Chart.yaml');
  if (!chartFile) throw new RenderError('InvalidChart', 'Chart.yaml file is missing');
  let metadata = readMetadata('Chart.yaml', chartFile);
  const requirements = files.get('requirements.yaml');
  if (requirements) {
    const dependencies = readDependencies('requirements.yaml', yamlFields('requirements.yaml', requirements));
    metadata = { ...metadata, dependencies };
  }
  const templates = new Map<string, Uint8Array>();
  const others = new Map<string, Uint8Array>();
  const nested = new Map<string, Map<string, Uint8Array>>();
  for (const [path, content] of files) {
    if (path.startsWith('templates/')) templates.set(path, content);
    else if (path.startsWith('charts/') && !path.endsWith('.prov')) {
      const [name = '', ...rest] = path.slice('charts/'.length).split('/');
      const inside = nested.get(name) ?? new Map<string, Uint8Array>();
      nested.set(name, inside.set(rest.join('/'), content));
    } else if (!known.has(path) && !(requirementFiles.has(path) && metadata.apiVersion !== 'v1'))
      others.set(path, content);
  }
  const values = files.get('values.yaml');
  return {
    metadata,
    values: values ? readValues('cannot load values.yaml', values) : new GoMap(),
    schema: files.get('values.schema.json'),
    templates,
    files: others,
    dependencies: [...nested].flatMap(([name, inside]) => {
      try {
        return loadNested(at(`charts/${name}`), name, inside, depth);
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        const message = `error unpacking subchart ${name} in ${metadata.name}: ${error.message}`;
        throw new RenderError(error.reason, message);
      }
    }),
  };
}

const known = new Set(['Chart.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json']);
const requirementFiles = new Set(['requirements.yaml', 'requirements.lock']);

/** A folder or a packed chart in `charts/`. Names that start with `_` or `.`, and other files, are skipped. */
function loadNested(where: string, name: string, files: ReadonlyMap<string, Uint8Array>, depth: number): Chart[] {
  if (/^[_.]/.test(name)) return [];
  const archive = files.get('');
  if (name.endsWith('.tgz') && archive) return [loadChart(where, readChartArchive(where, archive), depth + 1)];
  const inside = new Map([...files].filter(([path]) => path !== ''));
  return inside.size === 0 ? [] : [loadChart(where, inside, depth + 1)];
}

/** A values file. Several documents are merged; later ones have precedence. `failed` is the start of error messages. */
export function readValues(failed: string, content: Uint8Array): GoMap {
  const refuse = (why: string): never => {
    throw new RenderError('InvalidValues', `${failed}: ${why}`);
  };
  let values = new GoMap();
  try {
    for (const { text } of splitDocuments(Buffer.from(content).toString('utf8'))) {
      const document = readYaml(text);
      const read: GoValue = fromPlain(document);
      if (read === null || read === undefined) continue;
      if (!(read instanceof GoMap)) {
        const what = `json: cannot unmarshal ${goType(document)} into Go value of type map[string]interface {}`;
        return refuse(`cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: ${what}`);
      }
      values = mergeMaps(values, read);
    }
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    refuse(
      `${error.message.startsWith('invalid Yaml') ? 'error reading' : 'cannot unmarshal'} yaml document: ${error.message}`,
    );
  }
  return values;
}

const goType = (value: unknown): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
