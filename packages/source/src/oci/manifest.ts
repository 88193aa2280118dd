import { stringsAt } from '@fairlead/apimachinery';

/** A content descriptor with its digest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: { readonly os: string; readonly architecture: string; readonly variant?: string };
  readonly artifactType?: string;
}

export interface ImageManifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface ImageIndex {
  readonly manifests: readonly Descriptor[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** As stored in the registry, verified against its digest. */
export type Manifest = { readonly mediaType: string; readonly digest: string; readonly bytes: Uint8Array } & (
  | { readonly kind: 'image'; readonly image: ImageManifest }
  | { readonly kind: 'index'; readonly index: ImageIndex }
);

const imageTypes = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const indexTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

export const acceptedManifests = [...imageTypes, ...indexTypes].join(', ');

export const chartConfigType = 'application/vnd.cncf.helm.config.v1+json';
export const chartLayerTypes = ['application/vnd.cncf.helm.chart.content.v1.tar+gzip', 'application/tar+gzip'];

/** Undefined if the bytes are neither an image manifest nor an index. */
export function parseManifest(bytes: Uint8Array, header: string | undefined, digest: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const named = typeof value['mediaType'] === 'string' ? value['mediaType'] : (header?.split(';')[0]?.trim() ?? '');
  const { manifests, layers, config } = value;
  const annotations = value['annotations'] === undefined ? {} : { annotations: stringsAt(value, 'annotations') };
  if (isDescriptors(manifests) && !Array.isArray(layers)) {
    return { kind: 'index', index: { manifests, ...annotations }, mediaType: named, digest, bytes };
  }
  if (!Array.isArray(manifests) && isDescriptors(layers) && isDescriptor(config)) {
    return { kind: 'image', image: { config, layers, ...annotations }, mediaType: named, digest, bytes };
  }
  return undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDescriptors = (value: unknown): value is readonly Descriptor[] =>
  Array.isArray(value) && value.every(isDescriptor);

const isDescriptor = (value: unknown): value is Descriptor =>
  isRecord(value) &&
  typeof value['digest'] === 'string' &&
  typeof value['mediaType'] === 'string' &&
  Number.isSafeInteger(value['size']) &&
  Number(value['size']) >= 0;
