import { digestOf } from './registry-content.ts';

/** The config of a demo image: almost empty, and built when it was pushed. */
export interface DemoImage {
  readonly repository: string;
  readonly tag: string;
  readonly created: Date;
  readonly labels?: Readonly<Record<string, string>>;
  readonly platform?: { readonly os: string; readonly architecture: string };
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** Pushes an image to a registry by the OCI protocol, and returns its digest. */
export async function pushImage(
  server: string,
  image: DemoImage,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { os = 'linux', architecture = 'amd64' } = image.platform ?? {};
  const config = Buffer.from(
    JSON.stringify({
      os,
      architecture,
      created: image.created.toISOString(),
      config: { Labels: image.labels ?? {} },
      rootfs: { type: 'layers', diff_ids: [] },
    }),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        ...(await pushBlob(server, image.repository, config, headers)),
      },
      layers: [],
    }),
  );
  return pushManifest(server, image.repository, image.tag, manifest, manifestType, headers);
}

export async function pushBlob(
  server: string,
  repository: string,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ digest: string; size: number }> {
  const upload = await fetch(`${server}/v2/${repository}/blobs/uploads/`, { method: 'POST', headers });
  await upload.arrayBuffer();
  if (upload.status !== 202) throw new Error(`the registry refuses the upload: ${upload.status}`);
  const location = new URL(upload.headers.get('location') ?? '', server);
  const digest = digestOf(bytes);
  location.searchParams.set('digest', digest);
  const sent = await fetch(location, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  await sent.arrayBuffer();
  if (sent.status !== 201) throw new Error(`the registry refuses the blob: ${sent.status}`);
  return { digest, size: bytes.length };
}

export async function pushManifest(
  server: string,
  repository: string,
  reference: string,
  bytes: Buffer,
  mediaType: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sent = await fetch(`${server}/v2/${repository}/manifests/${reference}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': mediaType },
    body: new Uint8Array(bytes),
  });
  const text = await sent.text();
  if (sent.status !== 201) throw new Error(`the registry refuses the image: ${sent.status} ${text.slice(0, 200)}`);
  return digestOf(bytes);
}
