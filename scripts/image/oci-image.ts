import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Blob, jsonBlob, type Layer } from './layer.ts';
import { type ArchiveEntry, writeTar } from './tar-writer.ts';

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

export interface ImageOptions {
  /** `amd64` or `arm64`, as in the names of container platforms. */
  readonly architecture: string;
  /** RFC 3339; that of the commit, so that two builds of it are equal. */
  readonly created: string;
  /** Where and how the process runs; with the keys of the OCI specification. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** `fairlead:0.1.0` */
  readonly reference: string;
}

export interface Image {
  readonly reference: string;
  readonly manifest: Blob;
  readonly config: Blob;
  readonly layers: readonly Layer[];
  readonly index: Buffer;
}

/** Describes layers as an image by the OCI specification. */
export function createImage(layers: readonly Layer[], options: ImageOptions): Image {
  const { architecture, created, annotations, reference } = options;
  const config = jsonBlob({
    created,
    architecture,
    os: 'linux',
    config: options.config,
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ comment }) => ({ created, created_by: 'npm run image', comment })),
  });
  const manifest = jsonBlob({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: describe(types.config, config),
    layers: layers.map((layer) => describe(types.layer, layer)),
    annotations,
  });
  const index = {
    schemaVersion: 2,
    mediaType: types.index,
    manifests: [
      {
        ...describe(types.manifest, manifest),
        platform: { os: 'linux', architecture },
        annotations: { 'org.opencontainers.image.ref.name': reference },
      },
    ],
  };
  return { reference, manifest, config, layers, index: Buffer.from(JSON.stringify(index)) };
}

const describe = (mediaType: string, { digest, bytes }: Blob): object => ({ mediaType, digest, size: bytes.length });

/** The files of an OCI layout. With `manifest.json` in the same archive, `docker load` and `podman load` read it too. */
function layoutOf({ reference, manifest, config, layers, index }: Image): Map<string, Buffer> {
  const fileOf = ({ digest }: Blob): string => `blobs/${digest.replace(':', '/')}`;
  const docker = [{ Config: fileOf(config), RepoTags: [reference], Layers: layers.map(fileOf) }];
  return new Map([
    ['oci-layout', Buffer.from(JSON.stringify({ imageLayoutVersion: '1.0.0' }))],
    ['index.json', index],
    ['manifest.json', Buffer.from(JSON.stringify(docker))],
    ...[manifest, config, ...layers].map((blob): [string, Buffer] => [fileOf(blob), blob.bytes]),
  ]);
}

/** Writes the folder of the OCI layout. */
export function writeLayout(image: Image, dir: string): void {
  for (const [path, bytes] of layoutOf(image)) {
    if (path === 'manifest.json') continue;
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), bytes);
  }
}

/** One archive that is an OCI layout and a docker archive. */
export function archiveOf(image: Image): Buffer {
  const entries = [...layoutOf(image)].map(([path, content]): ArchiveEntry => ({ type: 'file', path, content }));
  return writeTar(entries);
}
