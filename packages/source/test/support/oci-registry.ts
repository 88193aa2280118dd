import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, untilListening } from './listen.ts';

export interface OciRegistry {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  push(
    repository: string,
    tag: string,
    layers: readonly PushedLayer[],
    config?: { mediaType: string },
  ): Promise<string>;
  close(): Promise<void>;
}

export interface PushedLayer {
  readonly mediaType: string;
  readonly content: Uint8Array;
  readonly title?: string;
}

export const registryUser = { username: 'me', password: 'the-password' };
/** `me:the-password`, as htpasswd -B hashes it. */
const htpasswd = 'me:$2b$05$abcdefghijklmnopqrstuu.znb4r.2SiHQeF.pCKpDSFBaTOrRZqq\n';

/** Debian's `docker-registry` on loopback, public or with a password. */
export async function startRegistry(program: string, dir: string, { basic = false } = {}): Promise<OciRegistry> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  writeFileSync(join(dir, 'htpasswd'), htpasswd);
  const auth = basic ? `auth:\n  htpasswd:\n    realm: test\n    path: ${join(dir, 'htpasswd')}\n` : '';
  const config = `version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: ${join(dir, 'data')}\nhttp:\n  addr: 127.0.0.1:${port}\n${auth}`;
  writeFileSync(join(dir, 'config.yml'), config);
  const child = spawn(program, ['serve', join(dir, 'config.yml')], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((resolve) =>
    child.once('close', () => {
      ended = true;
      resolve();
    }),
  );
  await untilListening(port, () => !ended);
  const host = `127.0.0.1:${port}`;
  return {
    host,
    push: (repository, tag, layers, config) => push(`http://${host}`, basic, repository, tag, layers, config),
    async close() {
      child.kill();
      await end;
    },
  };
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

async function push(
  server: string,
  basic: boolean,
  repository: string,
  tag: string,
  layers: readonly PushedLayer[],
  config = { mediaType: 'application/vnd.unknown.config.v1+json' },
): Promise<string> {
  const { username, password } = registryUser;
  const headers: Record<string, string> = basic
    ? { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
    : {};
  const blob = async (content: Uint8Array): Promise<{ digest: string; size: number }> => {
    const upload = await fetch(`${server}/v2/${repository}/blobs/uploads/`, { method: 'POST', headers });
    const location = new URL(upload.headers.get('location') ?? '', server);
    const digest = digestOf(content);
    location.searchParams.set('digest', digest);
    const octets = { ...headers, 'content-type': 'application/octet-stream' };
    const sent = await fetch(location, { method: 'PUT', headers: octets, body: Buffer.from(content) });
    if (sent.status !== 201) throw new Error(`the registry answered ${sent.status}`);
    return { digest, size: content.length };
  };
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { ...config, ...(await blob(Buffer.from('{}'))) },
      layers: await Promise.all(
        layers.map(async ({ mediaType, content, title }) => ({
          mediaType,
          ...(await blob(content)),
          ...(title ? { annotations: { 'org.opencontainers.image.title': title } } : {}),
        })),
      ),
    }),
  );
  const sent = await fetch(`${server}/v2/${repository}/manifests/${tag}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/vnd.oci.image.manifest.v1+json' },
    body: manifest,
  });
  if (sent.status !== 201) throw new Error(`the registry answered ${sent.status}: ${await sent.text()}`);
  return digestOf(manifest);
}
