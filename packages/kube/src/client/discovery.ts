import { messageOf } from '@fairlead/apimachinery';
import type { Informer } from '../cache/informer.ts';
import { type Clock, systemClock } from '../clock.ts';
import {
  type AggregatedDocument,
  type ApiCatalogue,
  type ApiGroup,
  type ApiResource,
  findByApiVersion,
  findPreferred,
  joined,
  parseAggregated,
  parseResourceList,
  type ResourceListDocument,
} from './api-catalogue.ts';
import type { HttpClient } from './http-client.ts';

const aggregated = ['v2', 'v2beta1'].map(
  (v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
);
const accept = [...aggregated, 'application/json'].join(',');
/** A server serves a CustomResourceDefinition shortly after accepting it; a missing kind is looked up again after this time. */
const missMs = 2_000;

/**
 * The kinds of the server, read once and cached until they are invalidated.
 *
 * - One request each for `/api` and `/apis` if the server supports the aggregated form, one per version otherwise.
 * - A version that cannot be read is a failure in the catalogue, and does not affect the others.
 * - Concurrent callers share one read.
 */
export class Discovery {
  readonly #reader: Pick<HttpClient, 'read'>;
  readonly #clock: Clock;
  #held: { readonly catalogue: ApiCatalogue; readonly at: number } | undefined;
  #reading: Promise<ApiCatalogue> | undefined;
  /** Incremented when the cache is invalidated, so that a read that started before is not cached. */
  #generation = 0;

  constructor(reader: Pick<HttpClient, 'read'>, options: { readonly clock?: Clock } = {}) {
    this.#reader = reader;
    this.#clock = options.clock ?? systemClock;
  }

  async catalogue(): Promise<ApiCatalogue> {
    return this.#held?.catalogue ?? this.#refresh();
  }

  /** By `apps/v1` and `Deployment`; undefined if the server does not have it. */
  resourceFor(apiVersion: string, kind: string): Promise<ApiResource | undefined> {
    return this.#find((catalogue) => findByApiVersion(catalogue, apiVersion, kind));
  }

  /** By `apps` and `Deployment`, in the preferred version. */
  preferredResource(group: string, kind: string): Promise<ApiResource | undefined> {
    return this.#find((catalogue) => findPreferred(catalogue, group, kind));
  }

  /** Invalidates the cache: the next caller reads again. */
  invalidate(): void {
    this.#generation += 1;
    this.#held = undefined;
    this.#reading = undefined;
  }

  /** Any change of a CustomResourceDefinition or APIService invalidates the cache. */
  invalidateOn(definitions: Informer): () => void {
    const invalidate = () => this.invalidate();
    return definitions.addHandler({ onAdd: invalidate, onUpdate: invalidate, onDelete: invalidate });
  }

  async #find(find: (catalogue: ApiCatalogue) => ApiResource | undefined): Promise<ApiResource | undefined> {
    const found = find(await this.catalogue());
    if (found || (this.#held && this.#clock.now() - this.#held.at < missMs)) return found;
    return find(await this.#refresh());
  }

  #refresh(): Promise<ApiCatalogue> {
    this.#reading ??= this.#readAndHold();
    return this.#reading;
  }

  async #readAndHold(): Promise<ApiCatalogue> {
    const generation = this.#generation;
    try {
      const catalogue = await this.#read();
      if (generation === this.#generation) this.#held = { catalogue, at: this.#clock.now() };
      return catalogue;
    } finally {
      if (generation === this.#generation) this.#reading = undefined;
    }
  }

  async #read(): Promise<ApiCatalogue> {
    const parts = await Promise.all([this.#readRoot('/api'), this.#readRoot('/apis')]);
    return {
      groups: parts.flatMap(({ groups }) => groups),
      failures: parts.flatMap(({ failures }) => failures),
    };
  }

  async #readRoot(path: '/api' | '/apis'): Promise<ApiCatalogue> {
    const document = JSON.parse((await this.#reader.read(path, { accept })).text) as RootDocument;
    if (document.kind === 'APIGroupDiscoveryList') return parseAggregated(document);
    const groups =
      path === '/api' ? [{ name: '', versions: document.versions ?? [] }] : (document.groups ?? []).map(legacyGroup);
    return this.#readVersions(path, groups);
  }

  async #readVersions(
    path: string,
    groups: readonly { name: string; versions: readonly string[] }[],
  ): Promise<ApiCatalogue> {
    const failures: { apiVersion: string; message: string }[] = [];
    const readVersion = async (group: string, version: string) => {
      try {
        const { text } = await this.#reader.read(`${path}/${joined(group, version)}`);
        return [{ version, resources: parseResourceList(group, version, JSON.parse(text) as ResourceListDocument) }];
      } catch (error) {
        failures.push({ apiVersion: joined(group, version), message: messageOf(error) });
        return [];
      }
    };
    const read = groups.map(async ({ name, versions }): Promise<ApiGroup> => {
      const parts = await Promise.all(versions.map((version) => readVersion(name, version)));
      return { name, versions: parts.flat() };
    });
    return { groups: await Promise.all(read), failures };
  }
}

interface RootDocument extends AggregatedDocument {
  readonly versions?: readonly string[];
  readonly groups?: readonly LegacyGroup[];
}

interface LegacyGroup {
  readonly name: string;
  readonly versions?: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version?: string };
}

function legacyGroup({ name, versions = [], preferredVersion }: LegacyGroup): { name: string; versions: string[] } {
  const all = versions.map(({ version }) => version);
  const first = all.filter((version) => version === preferredVersion?.version);
  return { name, versions: [...first, ...all.filter((version) => !first.includes(version))] };
}
