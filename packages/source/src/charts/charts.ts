import { createHash } from 'node:crypto';
import { limits } from '@fairlead/kube';
import type { Tree } from '@fairlead/render';
import type { TreeCache } from '../archive/tree-cache.ts';
import { type Unpacked, unpack } from '../archive/unpack.ts';
import type { ContentCache } from '../cache/content-cache.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { saveBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { shownUrl } from '../http/shown-url.ts';
import { reachOnly } from '../network/redirect.ts';
import { type Artifacts, tagOfVersion } from '../oci/artifacts.ts';
import { SourceError } from '../source-error.ts';
import type { SourceFetches } from '../tasks/source-fetches.ts';
import { isVersionRange } from '../version-range.ts';
import { authorizationOf } from './chart-authorization.ts';
import { type ChartVersion, chooseVersion } from './chart-index.ts';
import type { IndexStore } from './index-store.ts';

/** A chart in a repository: of files over HTTP, or in a registry (`oci://`, or an address without a scheme). */
export interface ChartAddress {
  readonly repoURL: string;
  readonly chart: string;
}

export interface ChartAsk {
  readonly credentials?: RepositoryCredentials | undefined;
  /** The project that reads it. */
  readonly project?: string | undefined;
  readonly fresh?: boolean;
  /** Send the credentials of the repository also to other hosts of its charts. */
  readonly passCredentials?: boolean;
  /** Throws if the project does not permit an address that the repository redirects to. */
  readonly permitRedirect?: (url: string) => void;
}

export interface ListedChart {
  readonly name: string;
  readonly versions: readonly string[];
}

export interface ChartsOptions {
  readonly http: HttpSession;
  readonly indexes: IndexStore;
  readonly artifacts: Artifacts;
  readonly cache: ContentCache;
  readonly trees: TreeCache;
  readonly fetches: SourceFetches;
}

/** Helm charts: resolves a constraint to a version, and a version to the tree of the chart directory. */
export class Charts {
  readonly #options: ChartsOptions;

  constructor(options: ChartsOptions) {
    this.#options = options;
  }

  async resolve({ repoURL, chart }: ChartAddress, requested: string, ask: ChartAsk = {}): Promise<string> {
    checkChartName(chart);
    const version = requested.trim();
    if (isRegistry(repoURL)) return this.#inRegistry(repoURL, chart, version, ask);
    return (await this.#listed(repoURL, chart, version, ask)).version;
  }

  /** The chart at a version that `resolve` returned. */
  async tree({ repoURL, chart }: ChartAddress, version: string, ask: ChartAsk = {}): Promise<Tree> {
    checkChartName(chart);
    const { artifacts } = this.#options;
    if (isRegistry(repoURL)) {
      const url = `${repoURL.replace(/\/+$/u, '')}/${chart}`;
      return artifacts.tree(url, await artifacts.resolve(url, tagOfVersion(version), ask), ask);
    }
    const listed = await this.#listed(repoURL, chart, version, ask);
    const url = addressOf(repoURL, listed);
    if (/^oci:/iu.test(url)) {
      return artifacts.tree(
        url,
        await artifacts.resolve(url, '', forHost(repoURL, url, ask)),
        forHost(repoURL, url, ask),
      );
    }
    // With a digest, the permitted index identifies the archive, at any location.
    if (listed.digest === undefined && new URL(url).origin !== new URL(repoURL).origin) ask.permitRedirect?.(url);
    // Includes the digest or publication time: a version that is published again is a different archive.
    const name = `${createHash('sha256')
      .update(`${url}\n${listed.digest ?? ''}\n${listed.created ?? ''}\n${ask.credentials?.name ?? ''}`)
      .digest('hex')}.tgz`;
    return this.#options.trees.get(`chart ${name}`, () => this.#load(name, url, repoURL, listed, ask));
  }

  /** Reads the index of a repository now. */
  async test(repoURL: string, ask: ChartAsk = {}): Promise<void> {
    await this.#options.indexes.get(repoURL, { ...ask, fresh: true });
  }

  /** All charts of a repository with their versions, in the order of its index. */
  async list(repoURL: string, ask: ChartAsk = {}): Promise<readonly ListedChart[]> {
    const index = await this.#options.indexes.get(repoURL, ask);
    const listed: ListedChart[] = [];
    for (const name of index.names()) listed.push({ name, versions: await index.listedVersions(name) });
    return listed;
  }

  async #inRegistry(repoURL: string, chart: string, version: string, ask: ChartAsk): Promise<string> {
    const { artifacts } = this.#options;
    const url = `${repoURL.replace(/\/+$/u, '')}/${chart}`;
    if (version !== '' && !isVersionRange(version)) {
      await artifacts.resolve(url, tagOfVersion(version), ask);
      return version;
    }
    return artifacts.version(url, version || '*', ask);
  }

  async #listed(repoURL: string, chart: string, requested: string, ask: ChartAsk): Promise<ChartVersion> {
    const index = await this.#options.indexes.get(repoURL, ask);
    const versions = await index.versions(chart);
    if (!versions) throw new SourceError('ChartNotFound', `${shownUrl(repoURL)} has no chart ${chart}`);
    let found: ChartVersion | undefined;
    try {
      found = chooseVersion(versions, requested);
    } catch {
      throw new SourceError(
        'InvalidRevision',
        `targetRevision ${JSON.stringify(requested.slice(0, 200))} is not a version or a range of versions`,
      );
    }
    if (found) return found;
    throw new SourceError(
      'RevisionNotFound',
      `${shownUrl(repoURL)} has no version ${requested || '*'} of chart ${chart}`,
    );
  }

  async #load(name: string, url: string, repoURL: string, { digest }: ChartVersion, ask: ChartAsk): Promise<Unpacked> {
    const what = shownUrl(url);
    const content = await this.#options.cache.open(name, (file) =>
      this.#options.fetches.run({ url, project: ask.project }, () => this.#download(file, url, repoURL, digest, ask)),
    );
    try {
      return await unpack(content, { stripTop: true });
    } catch (error) {
      await this.#options.cache.forget(name);
      throw error instanceof SourceError ? new SourceError(error.reason, `${what}: ${error.message}`) : error;
    }
  }

  async #download(
    file: string,
    url: string,
    repoURL: string,
    digest: string | undefined,
    ask: ChartAsk,
  ): Promise<void> {
    const { credentials, passCredentials = false } = ask;
    const what = shownUrl(url);
    const same = new URL(url).origin === new URL(repoURL).origin;
    const answer = await this.#options.http.send({
      url,
      redirect: digest === undefined ? undefined : 'follow',
      passCredentials,
      deadlineMs: limits.httpDownloadMs,
      authorization: same || passCredentials ? authorizationOf(credentials) : undefined,
      credentials: same || passCredentials ? credentials : reachOnly(credentials),
    });
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, what, { credentials, notFound: 'RevisionNotFound' });
    }
    const { sha256 } = await saveBody(answer, file, limits.chartBytes);
    if (digest !== undefined && digest !== sha256) {
      throw new SourceError(
        'DigestMismatch',
        `${what} has the digest ${sha256}, and the index of the repository has ${digest}`,
      );
    }
  }
}

const forHost = (repoURL: string, url: string, ask: ChartAsk): ChartAsk =>
  ask.passCredentials || new URL(repoURL).host === new URL(url.replace(/^oci:/iu, 'https:')).host
    ? ask
    : { ...ask, credentials: reachOnly(ask.credentials) };

/** As in Argo CD: charts in registries are often given without `oci://`. */
export const isRegistry = (repoURL: string): boolean =>
  /^oci:\/\//iu.test(repoURL) || !/^[a-z][a-z0-9+.-]*:\/\//iu.test(repoURL);

function addressOf(repoURL: string, { urls, version }: ChartVersion): string {
  const base = `${repoURL.replace(/\/+$/u, '')}/`;
  const [url = ''] = urls;
  if (!URL.canParse(url, base))
    throw new SourceError('InvalidIndex', `${shownUrl(repoURL)} has no valid URL for version ${version}`);
  const address = new URL(url, base);
  if (!/^(?:https?|oci):$/u.test(address.protocol)) {
    throw new SourceError(
      'InvalidIndex',
      `${shownUrl(repoURL)}: version ${version} has a URL with ${address.protocol}, and only https:, http: and oci: are supported`,
    );
  }
  return address.href;
}

function checkChartName(chart: string): void {
  if (!/^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/u.test(chart)) {
    throw new SourceError('InvalidUrl', `${JSON.stringify(chart.slice(0, 200))} is not the name of a chart`);
  }
}
