import { createHash } from 'node:crypto';
import { at } from '@fairlead/apimachinery';
import { type Clock, formatLimit, limits, limitTable } from '@fairlead/kube';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { discard, type HttpAnswer, type HttpAttempt, type HttpSession } from '../http/http-session.ts';
import { readBody, saveBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { SourceError } from '../source-error.ts';
import { acceptedManifests, type Descriptor, type Manifest, parseManifest } from './manifest.ts';
import { isDigest, registryServer } from './reference.ts';
import { RegistryAuth } from './registry-auth.ts';

export interface RegistryOptions {
  readonly http: HttpSession;
  readonly clock: Clock;
  /** `host[:port]`, as users write it. */
  readonly registry: string;
  /** The base URL of its API, if it differs from `registry`. */
  readonly server?: string;
  readonly credentials?: RepositoryCredentials | undefined;
  /** Delays each request as required by the rate limit. */
  readonly turn?: <T>(send: () => Promise<T>) => Promise<T>;
  /** Called after every attempt of every request. */
  readonly observe?: (attempt: HttpAttempt) => void;
}

/** All tags of a repository, with the validator for a conditional request. */
export interface TagList {
  readonly tags: readonly string[];
  readonly etag: string | undefined;
}

const tagsAPage = 1_000;

interface RegistryRequest {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly method?: 'GET' | 'HEAD';
  readonly deadlineMs?: number;
}

/** One registry, read by the OCI distribution protocol. All content with a digest is verified. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #server: string;
  readonly #auth: RegistryAuth;

  constructor(options: RegistryOptions) {
    const { http, clock, registry, credentials, server } = options;
    this.#options = options;
    this.#server = server ?? registryServer(registry, credentials?.plainHttp);
    this.#auth = new RegistryAuth(http, clock, this.#server, credentials);
  }

  /** Signs in, and reads nothing. Throws if the registry does not answer or refuses the credentials. */
  async ping(): Promise<void> {
    const answer = await this.#sendWithin('', { url: `${this.#server}/v2/` });
    if (answer.status !== 200) throw await this.#refusal(answer, this.#options.registry, 'RepositoryNotFound');
    await discard(answer);
  }

  /** A manifest or index, by tag or digest. */
  async manifest(repository: string, reference: string): Promise<Manifest> {
    const what = this.#name(repository, reference);
    const answer = await this.#get(repository, `manifests/${reference}`, { accept: acceptedManifests });
    if (answer.status !== 200) throw await this.#refusal(answer, what, 'RevisionNotFound');
    const bytes = await readBody(answer, limits.registryManifestBytes);
    const digest = isDigest(reference) ? reference : (answer.headers['docker-content-digest'] ?? sha256(bytes));
    checkDigest(bytes, digest, what);
    const manifest = parseManifest(bytes, answer.headers['content-type'], digest);
    if (!manifest) throw new SourceError('NotSupported', `${what} is neither an image nor an index of images`);
    return manifest;
  }

  /** The current digest of a tag, with a HEAD request if the registry supports it. */
  async digestOf(repository: string, tag: string): Promise<string> {
    if (isDigest(tag)) return tag;
    const answer = await this.#get(repository, `manifests/${tag}`, { accept: acceptedManifests }, 'HEAD');
    const digest = answer.headers['docker-content-digest'];
    if (answer.status === 200 && digest && isDigest(digest)) {
      await discard(answer);
      return digest;
    }
    if (answer.status === 200 || answer.status === 405) {
      await discard(answer);
      return (await this.manifest(repository, tag)).digest;
    }
    throw await this.#refusal(answer, this.#name(repository, tag), 'RevisionNotFound');
  }

  /** Writes a blob to a new file. */
  async saveBlob(repository: string, { digest, size }: Descriptor, file: string, maxBytes: number): Promise<void> {
    const what = this.#name(repository, digest);
    if (!isDigest(digest)) throw new SourceError('NotSupported', `${what}: digests of this kind are not supported`);
    if (size > maxBytes)
      throw new SourceError('TooLarge', `${what} has ${size} bytes, and at most ${maxBytes} are read`);
    const url = `${this.#server}/v2/${repository}/blobs/${digest}`;
    const answer = await this.#send(repository, { url, deadlineMs: limits.httpDownloadMs });
    if (answer.status !== 200) throw await this.#refusal(answer, what, 'RevisionNotFound');
    if (digest.startsWith('sha256:')) {
      const { sha256: found } = await saveBody(answer, file, maxBytes);
      if (`sha256:${found}` !== digest) throw mismatch(what, `sha256:${found}`);
      return;
    }
    await discard(answer);
    throw new SourceError('NotSupported', `${what}: only SHA-256 digests are supported`);
  }

  /** A blob that fits into memory. */
  async readBlob(repository: string, digest: string, maxBytes: number): Promise<Buffer> {
    const what = this.#name(repository, digest);
    if (!isDigest(digest)) throw new SourceError('NotSupported', `${what}: digests of this kind are not supported`);
    const answer = await this.#get(repository, `blobs/${digest}`, {});
    if (answer.status !== 200) throw await this.#refusal(answer, what, 'RevisionNotFound');
    const bytes = await readBody(answer, maxBytes);
    checkDigest(bytes, digest, what);
    return bytes;
  }

  /** All tags of a repository, page by page. Throws, instead of ending early, if the pages form a cycle. */
  async *tags(repository: string): AsyncGenerator<string> {
    for await (const page of this.#pages(repository, undefined)) yield* page === 'unchanged' ? [] : page.tags;
  }

  /** The complete list of tags, or 'unchanged' if the registry responds 304. */
  async tagList(repository: string, etag: string | undefined, maxTags: number): Promise<TagList | 'unchanged'> {
    const tags: string[] = [];
    let first: string | undefined;
    let pages = 0;
    for await (const page of this.#pages(repository, etag)) {
      if (page === 'unchanged') return page;
      pages += 1;
      if (pages === 1) first = page.etag;
      for (const tag of page.tags) tags.push(tag);
      if (tags.length > maxTags)
        throw new SourceError('TooLarge', `${this.#options.registry}/${repository} has more than ${maxTags} tags`);
    }
    return { tags, etag: pages === 1 ? first : undefined };
  }

  async *#pages(repository: string, etag: string | undefined): AsyncGenerator<TagList | 'unchanged'> {
    const what = `${this.#options.registry}/${repository}`;
    const seen = new Set<string>();
    const { clock } = this.#options;
    const until = clock.now() + limits.registryTagsMs;
    for (
      let url: string | undefined = `${this.#server}/v2/${repository}/tags/list?n=${tagsAPage}`;
      url !== undefined;
    ) {
      if (seen.has(url) || seen.size >= limits.registryTagPages)
        throw new SourceError('InvalidIndex', `${what}: the list of its tags has no end`);
      if (clock.now() > until)
        throw new SourceError(
          'RepositoryUnavailable',
          `${what}: the list of its tags took longer than ${formatLimit(limitTable.registryTagsMs)} (limit registryTagsMs)`,
        );
      const headers: Record<string, string> = etag && seen.size === 0 ? { 'if-none-match': etag } : {};
      seen.add(url);
      const answer = await this.#send(repository, { url, headers });
      if (answer.status === 304 && headers['if-none-match']) {
        await discard(answer);
        yield 'unchanged';
        return;
      }
      if (answer.status !== 200) throw await this.#refusal(answer, what, 'RepositoryNotFound');
      const { link, etag: tag } = answer.headers;
      yield { tags: tagsIn(await readBody(answer, limits.registryTagPageBytes), what), etag: tag };
      url = nextPage(link, url, what);
    }
  }

  #name(repository: string, reference: string): string {
    return `${this.#options.registry}/${repository}${isDigest(reference) ? '@' : ':'}${reference}`;
  }

  #get(
    repository: string,
    path: string,
    headers: Record<string, string>,
    method: 'GET' | 'HEAD' = 'GET',
  ): Promise<HttpAnswer> {
    return this.#send(repository, { url: `${this.#server}/v2/${repository}/${path}`, headers, method });
  }

  #send(repository: string, request: RegistryRequest): Promise<HttpAnswer> {
    // Azure requires more than the pull scope to list tags.
    const actions = this.#server.includes('.azurecr.io') ? 'pull,metadata_read,content_read' : 'pull';
    return this.#sendWithin(`repository:${repository}:${actions}`, request);
  }

  async #sendWithin(scope: string, request: RegistryRequest): Promise<HttpAnswer> {
    const { http, credentials, observe, turn = (run) => run() } = this.#options;
    const send = (authorization: string | undefined) =>
      turn(() => http.send({ ...request, redirect: 'follow', authorization, credentials, observe }));
    const answer = await send(this.#auth.current(scope));
    if (answer.status !== 401) return answer;
    const authorization = await this.#auth.answer(scope, answer.headers['www-authenticate']);
    if (!authorization) return answer;
    await discard(answer);
    return send(authorization);
  }

  async #refusal(
    answer: HttpAnswer,
    what: string,
    notFound: 'RevisionNotFound' | 'RepositoryNotFound',
  ): Promise<SourceError> {
    await discard(answer);
    return refusalOf(answer.status, what, { credentials: this.#options.credentials, notFound });
  }
}

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export function checkDigest(bytes: Uint8Array, digest: string, what: string): void {
  const algorithm = digest.split(':')[0] === 'sha512' ? 'sha512' : 'sha256';
  const found = `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
  if (found !== digest) throw mismatch(what, found);
}

const mismatch = (what: string, found: string): SourceError =>
  new SourceError('DigestMismatch', `${what}: the content has another digest, ${found}`);

function tagsIn(body: Buffer, what: string): string[] {
  try {
    const tags = at(JSON.parse(body.toString()), 'tags');
    if (tags === null || tags === undefined) return [];
    if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return tags;
  } catch {
    // Said below.
  }
  throw new SourceError('InvalidIndex', `${what}: the list of its tags cannot be read`);
}

/** `<…>; rel="next"`. A page on another server would get our token. */
function nextPage(link: string | undefined, from: string, what: string): string | undefined {
  const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/iu.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  const next = URL.canParse(target, from) ? new URL(target, from) : undefined;
  if (next?.origin !== new URL(from).origin) {
    throw new SourceError('InvalidIndex', `${what}: the list of its tags continues on another server`);
  }
  return next.href;
}
