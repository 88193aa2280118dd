import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface StoredManifest {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** The content of the demo registry: blobs by digest, manifests by digest, tags by name. With a directory it survives a restart. */
export class RegistryContent {
  readonly #dir: string | undefined;
  readonly #blobs = new Map<string, Buffer>();
  readonly #repositories = new Map<string, { tags: Map<string, string>; manifests: Map<string, StoredManifest> }>();

  constructor(dir?: string) {
    this.#dir = dir;
    if (dir === undefined) return;
    mkdirSync(join(dir, 'blobs'), { recursive: true });
    const index = join(dir, 'index.json');
    if (!existsSync(index)) return;
    const stored = JSON.parse(readFileSync(index, 'utf8')) as Record<
      string,
      { tags: Record<string, string>; types: Record<string, string> }
    >;
    for (const [repository, { tags, types }] of Object.entries(stored)) {
      for (const [digest, mediaType] of Object.entries(types)) {
        const bytes = this.blob(digest);
        if (bytes) this.#repository(repository).manifests.set(digest, { mediaType, bytes });
      }
      for (const [tag, digest] of Object.entries(tags)) this.#repository(repository).tags.set(tag, digest);
    }
  }

  tags(repository: string): string[] | undefined {
    const found = this.#repositories.get(repository);
    return found && [...found.tags.keys()].sort();
  }

  manifest(repository: string, reference: string): (StoredManifest & { readonly digest: string }) | undefined {
    const found = this.#repositories.get(repository);
    const digest = reference.includes(':') ? reference : found?.tags.get(reference);
    const stored = digest === undefined ? undefined : found?.manifests.get(digest);
    return stored && digest !== undefined ? { ...stored, digest } : undefined;
  }

  putManifest(repository: string, reference: string, manifest: StoredManifest): string {
    const digest = this.putBlob(manifest.bytes);
    const into = this.#repository(repository);
    into.manifests.set(digest, manifest);
    if (!reference.includes(':')) into.tags.set(reference, digest);
    this.#save();
    return digest;
  }

  blob(digest: string): Buffer | undefined {
    const known = this.#blobs.get(digest);
    if (known || this.#dir === undefined || !/^sha256:[0-9a-f]{64}$/u.test(digest)) return known;
    const file = join(this.#dir, 'blobs', digest.slice('sha256:'.length));
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  putBlob(bytes: Buffer): string {
    const digest = digestOf(bytes);
    if (this.#dir === undefined) this.#blobs.set(digest, bytes);
    else writeFileSync(join(this.#dir, 'blobs', digest.slice('sha256:'.length)), bytes);
    return digest;
  }

  #repository(name: string) {
    let repository = this.#repositories.get(name);
    if (!repository) this.#repositories.set(name, (repository = { tags: new Map(), manifests: new Map() }));
    return repository;
  }

  #save(): void {
    if (this.#dir === undefined) return;
    const index = Object.fromEntries(
      Array.from(this.#repositories, ([name, { tags, manifests }]) => [
        name,
        {
          tags: Object.fromEntries(tags),
          types: Object.fromEntries(Array.from(manifests, ([digest, { mediaType }]) => [digest, mediaType])),
        },
      ]),
    );
    writeFileSync(join(this.#dir, 'index.json'), JSON.stringify(index));
  }
}
