import { open, readFile, stat } from 'node:fs/promises';
import { readYaml } from '@fairlead/render/go-yaml';
import { compareVersions, parseConstraint, parseVersion, satisfies, type Version } from '@fairlead/render/semver';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { SourceError } from '../source-error.ts';
import { type ChartRanges, scanIndex } from './index-scanner.ts';

/** One version of a chart, as an index lists it. */
export interface ChartVersion {
  readonly version: string;
  readonly urls: readonly string[];
  /** SHA-256 of the archive, in hex. */
  readonly digest?: string;
  readonly created?: string;
}

const maxWholeBytes = 64 * 1024 * 1024;
const maxChartBytes = 32 * 1024 * 1024;

/** The index of a chart repository, in a file. Only the requested charts are parsed. */
export class ChartIndex {
  readonly #file: string;
  readonly #what: string;
  readonly #charts = new BoundedCache<readonly ChartVersion[]>(50_000);
  #ranges: ChartRanges | undefined;
  #whole: Record<string, unknown> | undefined;

  private constructor(file: string, what: string) {
    this.#file = file;
    this.#what = what;
  }

  static async read(file: string, what: string): Promise<ChartIndex> {
    const index = new ChartIndex(file, what);
    index.#ranges = await scanIndex(file);
    if (!index.#ranges) index.#whole = await index.#readWhole();
    return index;
  }

  /** The names of all charts. */
  names(): readonly string[] {
    return this.#whole ? Object.keys(this.#whole) : [...(this.#ranges?.keys() ?? [])];
  }

  /** Newest first; undefined if there is no such chart. */
  async versions(chart: string): Promise<readonly ChartVersion[] | undefined> {
    const known = this.#charts.get(chart);
    if (known) return known;
    const listed = await this.#entriesOf(chart);
    if (listed === undefined) return undefined;
    const versions = toVersions(listed);
    this.#charts.set(chart, versions, versions.length + 1);
    return versions;
  }

  /** In the order of the index; empty when there is no such chart. */
  async listedVersions(chart: string): Promise<readonly string[]> {
    return readVersions(await this.#entriesOf(chart)).map(({ entry }) => entry.version);
  }

  async #entriesOf(chart: string): Promise<unknown> {
    if (this.#whole) return Object.hasOwn(this.#whole, chart) ? this.#whole[chart] : undefined;
    const range = this.#ranges?.get(chart);
    if (!range) return undefined;
    try {
      const part = readYaml(await this.#readPart(range.start, range.end));
      return isRecord(part) ? part[chart] : undefined;
    } catch (error) {
      if (error instanceof SourceError) throw error;
      // A part may not parse separately, for example if it refers to an anchor in another.
      this.#whole = await this.#readWhole();
      return this.#whole[chart];
    }
  }

  async #readPart(start: number, end: number): Promise<string> {
    if (end - start > maxChartBytes)
      throw new SourceError('TooLarge', `${this.#what}: one chart takes ${end - start} bytes of it`);
    const handle = await open(this.#file);
    try {
      const { buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.toString('utf8');
    } finally {
      await handle.close();
    }
  }

  async #readWhole(): Promise<Record<string, unknown>> {
    const { size } = await stat(this.#file);
    if (size > maxWholeBytes)
      throw new SourceError('TooLarge', `${this.#what} has ${size} bytes in a form that must be read whole`);
    let value: unknown;
    try {
      const text = await readFile(this.#file, 'utf8');
      value = /^\s*\{/u.test(text) ? JSON.parse(text) : readYaml(text);
    } catch (error) {
      throw new SourceError(
        'InvalidIndex',
        `${this.#what} cannot be read: ${error instanceof Error ? error.message : error}`,
      );
    }
    if (!isRecord(value) || (value['entries'] !== null && !isRecord(value['entries']))) {
      throw new SourceError('InvalidIndex', `${this.#what} is not the index of a chart repository: it has no entries`);
    }
    return value['entries'] ?? {};
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toVersions = (listed: unknown): ChartVersion[] =>
  readVersions(listed)
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ entry }) => entry);

function readVersions(listed: unknown): { readonly entry: ChartVersion; readonly version: Version }[] {
  if (!Array.isArray(listed)) return [];
  const found: { entry: ChartVersion; version: Version }[] = [];
  for (const item of listed) {
    if (!isRecord(item)) continue;
    const version = versionOf(item['version']);
    const urls = Array.isArray(item['urls'])
      ? item['urls'].filter((url): url is string => typeof url === 'string')
      : [];
    // Entries that Helm would not install are omitted: those without a valid version or a URL.
    if (!version || urls.length === 0) continue;
    const digest = typeof item['digest'] === 'string' ? item['digest'].replace(/^sha256:/u, '').toLowerCase() : '';
    const created = typeof item['created'] === 'string' ? item['created'] : undefined;
    const entry = {
      version: version.original,
      urls,
      ...(digest === '' ? {} : { digest }),
      ...(created === undefined ? {} : { created }),
    };
    found.push({ entry, version });
  }
  return found;
}

function versionOf(value: unknown): Version | undefined {
  try {
    return typeof value === 'string' ? parseVersion(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The version that Helm would select: an exact match, otherwise the highest that satisfies the constraint. */
export function chooseVersion(versions: readonly ChartVersion[], requested: string): ChartVersion | undefined {
  const exact = versions.find(({ version }) => version === requested);
  if (exact) return exact;
  const constraint = parseConstraint(requested === '' ? '*' : requested);
  return versions.find(({ version }) => satisfies(parseVersion(version), constraint));
}
