import { parseTime, stringsAt, textAt } from '@fairlead/apimachinery';
import type { ImageManifest } from '@fairlead/source/oci';
import { ImagesError } from '../images-error.ts';
import type { Platform } from '../tags/platform.ts';
import type { RegistryClient } from './registry-client.ts';

/** The images behind one digest. */
export interface TagMetadata {
  readonly digest: string;
  readonly images: readonly BuiltImage[];
}

export interface BuiltImage {
  readonly platform: Platform;
  /** Seconds since 1970; undefined if the image does not record it. */
  readonly created: number | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** More images in one index are ignored. */
const maxImages = 100;

/** Reads the build time and labels of an image, or of each image of an index. */
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
      // Attestations are listed with the platform unknown/unknown.
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
    throw new ImagesError('RegistryUnavailable', `${repository}: the image configuration ${config.digest} is not JSON`);
  }
  const text = (field: string): string => textAt(info, field);
  const created = parseTime(text('created'));
  return {
    platform: named ?? { os: text('os'), arch: text('architecture'), variant: text('variant') },
    created: created === undefined ? undefined : created / 1000,
    labels: stringsAt(info, 'config', 'Labels'),
  };
}

/** The newest image for the platforms; undefined if there is none. */
export function newestMatching(
  { images }: TagMetadata,
  matches: (platform: Platform) => boolean,
): BuiltImage | undefined {
  return images
    .filter(({ platform }) => matches(platform))
    .reduce<BuiltImage | undefined>(
      (best, image) => (best && (best.created ?? 0) >= (image.created ?? 0) ? best : image),
      undefined,
    );
}
