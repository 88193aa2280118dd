import { readYaml, YamlError } from '../go-yaml/index.ts';
import { RenderError } from '../render-error.ts';
import { parseVersion, SemverError } from '../semver/index.ts';
import { scalarText } from './scalar-text.ts';

/** A dependency of a chart. */
export interface ChartDependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly alias: string;
  readonly importValues: readonly unknown[];
}

/** Chart.yaml. */
export interface ChartMetadata {
  readonly name: string;
  readonly home: string;
  readonly sources: readonly string[];
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly maintainers: readonly { readonly name: string; readonly email: string; readonly url: string }[];
  readonly icon: string;
  readonly apiVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly appVersion: string;
  readonly deprecated: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly kubeVersion: string;
  readonly dependencies: readonly ChartDependency[];
  readonly type: string;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonKind = (value: unknown): string =>
  Array.isArray(value) ? 'array' : isFields(value) ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;

/** Reads the fields of a Go struct. Throws Go's error for a field of another type. */
class Reader {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  refuse(why: string): never {
    throw new RenderError('InvalidChart', `validation: ${why}`);
  }

  text(fields: Fields, name: string, struct = 'Metadata'): string {
    return this.scalar(fields[name], `${struct}.${name}`);
  }

  flag(fields: Fields, name: string): boolean {
    const value = fields[name] ?? false;
    return typeof value === 'boolean' ? value : this.mismatch(value, `Metadata.${name}`, 'bool');
  }

  list(fields: Fields, name: string, struct = 'Metadata'): unknown[] {
    const value = fields[name];
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : this.mismatch(value, `${struct}.${name}`, '[]string');
  }

  texts(fields: Fields, name: string, struct = 'Metadata'): string[] {
    return this.list(fields, name, struct).map((item) => this.scalar(item, `${struct}.${name}`));
  }

  private scalar(value: unknown, field: string): string {
    if (value === undefined || value === null) return '';
    return scalarText(value) ?? this.mismatch(value, field, 'string');
  }

  mismatch(value: unknown, field: string, expected: string): never {
    throw cannotDecode(this.file, `${jsonKind(value)} into Go struct field ${field} of type ${expected}`);
  }
}

const cannotDecode = (file: string, what: string): RenderError =>
  new RenderError(
    'InvalidChart',
    `cannot load ${file}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${what}`,
  );

/** The fields of a file of a chart, such as `Chart.yaml`. Throws Helm's error if it cannot be read. */
export function yamlFields(file: string, content: Uint8Array): Fields {
  let value: unknown;
  try {
    value = readYaml(Buffer.from(content).toString('utf8'));
  } catch (error) {
    if (error instanceof YamlError) throw new RenderError('InvalidChart', `cannot load ${file}: ${error.message}`);
    throw error;
  }
  if (value === null || value === undefined) return {};
  if (!isFields(value)) throw cannotDecode(file, `${jsonKind(value)} into Go value of type v2.Metadata`);
  return value;
}

export function readDependencies(file: string, fields: Fields): ChartDependency[] {
  const reader = new Reader(file);
  return reader.list(fields, 'dependencies').map((item) => {
    if (!isFields(item)) return reader.refuse('dependencies must not contain empty or null nodes');
    const text = (name: string): string => reader.text(item, name, 'Dependency');
    const dependency = {
      name: text('name'),
      version: text('version'),
      repository: text('repository'),
      condition: text('condition'),
      alias: text('alias'),
      tags: reader.texts(item, 'tags', 'Dependency'),
      importValues: reader.list(item, 'import-values', 'Dependency'),
    };
    if (dependency.alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(dependency.alias))
      reader.refuse(`dependency ${JSON.stringify(dependency.name)} has disallowed characters in the alias`);
    return dependency;
  });
}

export function readMetadata(file: string, content: Uint8Array): ChartMetadata {
  const fields = yamlFields(file, content);
  const reader = new Reader(file);
  const text = (name: string): string => reader.text(fields, name);
  const annotations = isFields(fields['annotations']) ? fields['annotations'] : {};
  const metadata: ChartMetadata = {
    name: text('name'),
    home: text('home'),
    sources: reader.texts(fields, 'sources'),
    version: text('version'),
    description: text('description'),
    keywords: reader.texts(fields, 'keywords'),
    maintainers: reader
      .list(fields, 'maintainers')
      .filter(isFields)
      .map((item) => ({
        name: reader.text(item, 'name', 'Maintainer'),
        email: reader.text(item, 'email', 'Maintainer'),
        url: reader.text(item, 'url', 'Maintainer'),
      })),
    icon: text('icon'),
    apiVersion: text('apiVersion') || 'v1',
    condition: text('condition'),
    tags: text('tags'),
    appVersion: text('appVersion'),
    deprecated: reader.flag(fields, 'deprecated'),
    annotations: Object.fromEntries(
      Object.keys(annotations).map((key) => [key, reader.text(annotations, key, 'Metadata.annotations')]),
    ),
    kubeVersion: text('kubeVersion'),
    dependencies: readDependencies(file, fields),
    type: text('type'),
  };
  check(metadata, reader);
  return metadata;
}

function check({ name, version, type, dependencies }: ChartMetadata, reader: Reader): void {
  if (name === '') reader.refuse('chart.metadata.name is required');
  if (name === '.' || name === '..') reader.refuse(`chart.metadata.name ${JSON.stringify(name)} is not allowed`);
  if (name.includes('/')) reader.refuse(`chart.metadata.name ${JSON.stringify(name)} is invalid`);
  if (version === '') reader.refuse('chart.metadata.version is required');
  try {
    parseVersion(version);
  } catch (error) {
    if (error instanceof SemverError) reader.refuse(`chart.metadata.version ${JSON.stringify(version)} is invalid`);
    throw error;
  }
  if (!['', 'application', 'library'].includes(type))
    reader.refuse('chart.metadata.type must be application or library');
  const seen = new Set<string>();
  for (const dependency of dependencies) {
    const key = dependency.alias || dependency.name;
    if (seen.has(key)) reader.refuse(`more than one dependency with name or alias ${JSON.stringify(key)}`);
    seen.add(key);
  }
}
