import { createHash } from 'node:crypto';
import { listAt, objectAt, textAt } from '@fairlead/apimachinery';
import { formatLimit, limits, limitTable } from '@fairlead/kube';
import type { Tree, TreeEntry } from '@fairlead/render';
import { BoundedCache } from '../cache/bounded-cache.ts';
import { authorizationOf } from '../charts/chart-authorization.ts';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import type { RepositoryTokens } from '../credentials/tokens/repository-tokens.ts';
import { discard, type HttpSession } from '../http/http-session.ts';
import { readBody } from '../http/read-body.ts';
import { refusalOf } from '../http/refusal.ts';
import { shownUrl } from '../http/shown-url.ts';
import { SourceError } from '../source-error.ts';

/** What Git stores instead of a large file. */
export interface LfsPointer {
  /** SHA-256 of the content. */
  readonly oid: string;
  readonly size: number;
}

/** Undefined if a file is not a pointer. */
export function readPointer(content: Uint8Array): LfsPointer | undefined {
  if (content.length > 1024) return undefined;
  const text = Buffer.from(content).toString('latin1');
  if (!text.startsWith('version https://git-lfs.github.com/spec/v1\n')) return undefined;
  const oid = /^oid sha256:([0-9a-f]{64})$/mu.exec(text)?.[1];
  const size = /^size (\d+)$/mu.exec(text)?.[1];
  return oid === undefined || size === undefined ? undefined : { oid, size: Number(size) };
}

/** A tree with the contents of large files instead of their pointers. Its ids differ from those of the tree with pointers. */
export function withLfs(tree: Tree, read: (pointer: LfsPointer, path: string) => Promise<Uint8Array>): Tree {
  const renamed = (entry: TreeEntry): TreeEntry => ({ ...entry, id: `lfs:${entry.id}` });
  return {
    async stat(path) {
      const entry = await tree.stat(path);
      return entry && renamed(entry);
    },
    list: async (dir) => (await tree.list(dir))?.map(renamed),
    async read(path) {
      const content = await tree.read(path);
      const pointer = content && readPointer(content);
      return pointer ? read(pointer, path) : content;
    },
  };
}

const mediaType = 'application/vnd.git-lfs+json';
const maxKeptBytes = 64 * 1024 ** 2;
const maxAnswerBytes = 1024 ** 2;

/** Large files of Git repositories, read by the batch API of their LFS servers. */
export class LfsObjects {
  readonly #http: HttpSession;
  readonly #tokens: Pick<RepositoryTokens, 'usable'>;
  readonly #kept = new BoundedCache<Uint8Array>(maxKeptBytes);

  constructor(http: HttpSession, tokens: Pick<RepositoryTokens, 'usable'>) {
    this.#http = http;
    this.#tokens = tokens;
  }

  async read(
    repoUrl: string,
    pointer: LfsPointer,
    path: string,
    stored: RepositoryCredentials | undefined,
  ): Promise<Uint8Array> {
    const key = `${repoUrl}\n${stored?.name ?? ''}\n${pointer.oid}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    if (pointer.size > limits.lfsObjectBytes) {
      throw new SourceError(
        'TooLarge',
        `${path} is larger than ${formatLimit(limitTable.lfsObjectBytes)} (limit lfsObjectBytes)`,
      );
    }
    const credentials = await this.#tokens.usable(repoUrl, stored);
    const { href, headers } = await this.#locate(repoUrl, pointer, path, credentials);
    const answer = await this.#http.send({ url: href, headers, redirect: 'follow', credentials });
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, `${path} on ${shownUrl(href)}`, { credentials });
    }
    const content = await readBody(answer, limits.lfsObjectBytes);
    if (createHash('sha256').update(content).digest('hex') !== pointer.oid) {
      throw new SourceError('RepositoryUnavailable', `${path}: the LFS server sent content with another digest`);
    }
    this.#kept.set(key, content, content.length + 200);
    return content;
  }

  /** Asks the server where an object is. */
  async #locate(
    repoUrl: string,
    { oid, size }: LfsPointer,
    path: string,
    credentials: RepositoryCredentials | undefined,
  ): Promise<{ readonly href: string; readonly headers: Readonly<Record<string, string>> }> {
    const url = `${lfsUrl(repoUrl, path)}/objects/batch`;
    const answer = await this.#http.send({
      url,
      method: 'POST',
      headers: { accept: mediaType, 'content-type': mediaType },
      authorization: authorizationOf(credentials),
      credentials,
      body: JSON.stringify({
        operation: 'download',
        transfers: ['basic'],
        objects: [{ oid, size }],
        hash_algo: 'sha256',
      }),
    });
    if (answer.status !== 200) {
      await discard(answer);
      throw refusalOf(answer.status, `${path} on the LFS server ${shownUrl(url)}`, { credentials });
    }
    const response: unknown = JSON.parse((await readBody(answer, maxAnswerBytes)).toString());
    const [object] = listAt(response, 'objects');
    const download = objectAt(object, 'actions', 'download');
    if (!download) {
      const why = textAt(object, 'error', 'message') || 'it offers no download';
      throw new SourceError(
        'RepositoryUnavailable',
        `${path}: the LFS server ${shownUrl(url)} does not have it: ${why}`,
      );
    }
    const given = Object.entries(objectAt(download, 'header') ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]);
    return { href: textAt(download, 'href'), headers: Object.fromEntries(given) };
  }
}

/** The LFS server of a repository: at its address, with `.git`. */
function lfsUrl(repoUrl: string, path: string): string {
  const url = repoUrl.trim().replace(/\/+$/u, '');
  if (!/^https?:/iu.test(url)) {
    throw new SourceError(
      'InvalidRevision',
      `${path} is in Git LFS, which is read by HTTP only: use the https address of the repository`,
    );
  }
  return `${url.endsWith('.git') ? url : `${url}.git`}/info/lfs`;
}
