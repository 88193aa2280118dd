import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { tarEnd, tarEntry } from '../tar/write-tar.ts';
import { callPlugin, fileMessage, metadataMessage, readFields } from './cmp-client.ts';
import type { Plugin, PluginRequest } from './plugin.ts';
import { filesOf } from './plugin-files.ts';

const compress = promisify(gzip);
const chunkBytes = 64 * 1024;

/** A plugin in a sidecar: `argocd-cmp-server`, or a server that answers like it, on a Unix socket. */
export function socketPlugin(name: string, socket: string, timeMs?: number): Plugin {
  return {
    name,
    async supports(request) {
      const { flags } = readFields(await callPlugin(socket, 'CheckPluginConfiguration', [Buffer.alloc(0)], timeMs));
      const [isDiscoveryConfigured, isSupported] = [1, 1];
      if (!flags.has(isDiscoveryConfigured)) return undefined;
      const response = readFields(await callPlugin(socket, 'MatchRepository', await streamOf(request), timeMs));
      return response.flags.has(isSupported);
    },
    async generate(request) {
      return readFields(await callPlugin(socket, 'GenerateManifest', await streamOf(request), timeMs)).texts;
    },
  };
}

/** The repository as a compressed archive, after its description. */
async function streamOf({ tree, path, environment }: PluginRequest): Promise<Buffer[]> {
  const entries: Buffer[] = [];
  for await (const { path: file, content } of filesOf(tree)) entries.push(tarEntry(file, content));
  const archive = await compress(Buffer.concat([...entries, tarEnd()]));
  const metadata = metadataMessage({
    appName: path.slice(path.lastIndexOf('/') + 1),
    appRelPath: path || '.',
    checksum: createHash('sha256').update(archive).digest('hex'),
    size: archive.length,
    env: environment,
  });
  const chunks = Array.from({ length: Math.ceil(archive.length / chunkBytes) }, (_, i) =>
    fileMessage(archive.subarray(i * chunkBytes, (i + 1) * chunkBytes)),
  );
  return [metadata, ...chunks];
}
