import type { ImageManifest } from '@fairlead/source/oci';
import { ImagesError } from '../images-error.ts';
import type { Platform } from '../tags/platform.ts';
import type { RegistryClient } from './registry-client.ts';

/** What the images behind one digest say of themselves. */
export interface TagMetadata {
  readonly digest: string;
  readonly images: readonly BuiltImage[];
}

export interface BuiltImage {
  readonly platform: Platform;
  /** Seconds since 1970; undefined where the image does not say. */
  readonly created: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** An index of more images than that is none that somebody builds. */
const maxImages = 100;

/** Reads the manifest, and where it is an index those below it, down to when each image was built. */
export async function readMetadata(
  client: RegistryClient,
  repository: string,
  reference: string,
): Promise<TagMetadata> {
  const manifest = await client.manifest(repository, reference);
  if (manifest.kind === 'image') {
    return { digest: manifest.digest, images: [await readImage(client, repository, manifest.image, undefined)] };
  }
  const entries = manifest.index.manifests.slice(0, maxImages);
  const images = await Promise.all(
    entries.map(async ({ digest, platform }) => {
      // An attestation beside the images has a platform that no machine has.
      if (platform?.os === 'unknown') return [];
      const below = await client.manifest(repository, digest);
      if (below.kind !== 'image') return [];
      const named = platform && { os: platform.os, arch: platform.architecture, variant: platform.variant ?? '' };
      return [await readImage(client, repository, below.image, named)];
    }),
  );
  return { digest: manifest.digest, images: images.flat() };
}

async function readImage(
  client: RegistryClient,
  repository: string,
  { config }: ImageManifest,
  named: Platform | undefined,
): Promise<BuiltImage> {
  const bytes = await client.blob(repository, config.digest);
  let info: unknown;
  try {
    info = JSON.parse(bytes.toString());
  } catch {
    throw new ImagesError(
      'RegistryUnavailable',
      `${repository}: the configuration ${config.digest} of an image is not JSON`,
    );
  }
  const { os, architecture, variant, created, config: inner } = (info ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const at = Date.parse(text(created));
  const labels = (inner as { Labels?: Record<string, string> } | undefined)?.Labels;
  return {
    platform: named ?? { os: text(os), arch: text(architecture), variant: text(variant) },
    created: Number.isNaN(at) ? undefined : at / 1000,
    labels: typeof labels === 'object' && labels !== null ? labels : {},
  };
}

/** The newest of the images that are wanted; undefined where there is none. */
export function newestWanted({ images }: TagMetadata, wants: (platform: Platform) => boolean): BuiltImage | undefined {
  return images
    .filter(({ platform }) => wants(platform))
    .reduce<BuiltImage | undefined>(
      (best, image) => (best && (best.created ?? 0) >= (image.created ?? 0) ? best : image),
      undefined,
    );
}
