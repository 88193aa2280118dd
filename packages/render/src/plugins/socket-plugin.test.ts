/** The plugin service over a Unix socket: what is sent, and how responses and failures are read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WireReader, WireWriter } from '@fairlead/apimachinery';
import { renderSource } from '../source/render-source.ts';
import { memoryTree } from '../tree/memory-tree.ts';
import { withPlugins } from './plugin-renderer.ts';
import { readPlugins } from './plugin-set.ts';

interface Received {
  readonly metadata: readonly string[];
  readonly archive: Buffer;
}

type Respond = (
  method: string,
  received: Received,
) => { readonly message?: Buffer; readonly problem?: string } | 'never';

/** A server of the plugin service in a folder of sockets. */
async function serve(t: TestContext, respond: Respond): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cmp-'));
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const answer = respond(String(headers[':path']).split('/').at(-1) ?? '', receive(Buffer.concat(chunks)));
      if (answer === 'never') return;
      const { message = Buffer.alloc(0), problem } = answer;
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () =>
        stream.sendTrailers(
          problem ? { 'grpc-status': '2', 'grpc-message': encodeURIComponent(problem) } : { 'grpc-status': '0' },
        ),
      );
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      stream.end(problem ? undefined : Buffer.concat([head, message]));
    });
  });
  await new Promise<void>((ready) => server.listen(join(folder, 'cue.sock'), ready));
  t.after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function receive(bytes: Buffer): Received {
  const metadata: string[] = [];
  const archive: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at + 1);
    const reader = new WireReader(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    while (!reader.done) {
      const isFile = reader.tag().number === 2;
      const inner = reader.message();
      while (!inner.done) {
        const { wire } = inner.tag();
        if (isFile) archive.push(inner.bytes());
        else metadata.push(wire === 0 ? String(inner.int64()) : inner.bytes().toString());
      }
    }
  }
  return { metadata, archive: Buffer.concat(archive) };
}

const flag = (field: number): Buffer => {
  const writer = new WireWriter();
  writer.int(field, 1);
  return writer.finish();
};
const manifests = (...texts: string[]): Buffer => {
  const writer = new WireWriter();
  for (const text of texts) writer.text(1, text);
  return writer.finish();
};
const long = `deep/${'x'.repeat(150)}.txt`;
const tree = memoryTree({ 'app/a.cue': 'content', [long]: 'long name' });
const source = { repoURL: 'https://git.example/shop', path: 'app' };
const context = { name: 'shop', namespace: 'web', project: 'default', revision: '0'.repeat(40) };
const rendererOf = async (folder: string, timeMs = 20_000) =>
  withPlugins(await readPlugins(folder, { folder: join(folder, 'runs'), path: '', limits: { timeMs } }), renderSource);

test('a sidecar is sent the repository as an archive with its checksum, and its manifests are read', async (t) => {
  const calls: string[] = [];
  let sent: Received | undefined;
  const folder = await serve(t, (method, received) => {
    calls.push(method);
    if (method !== 'GenerateManifest') return { message: flag(1) };
    sent = received;
    return {
      message: manifests(
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
        'kind: Secret\nmetadata: {name: b}\n',
      ),
    };
  });
  const { type, manifests: found } = await (await rendererOf(folder))(source, tree, context);
  assert.equal(type, 'Plugin');
  assert.deepEqual(
    found.map(({ object }) => object.metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(calls, ['CheckPluginConfiguration', 'MatchRepository', 'GenerateManifest']);
  assert.ok(sent);
  const [appName, appRelPath, checksum, size] = sent.metadata;
  assert.deepEqual([appName, appRelPath, size], ['app', 'app', String(sent.archive.length)]);
  assert.equal(checksum, createHash('sha256').update(sent.archive).digest('hex'));
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  writeFileSync(join(folder, 'sent.tgz'), sent.archive);
  execFileSync('tar', ['-xzf', join(folder, 'sent.tgz'), '-C', unpacked]);
  assert.equal(readFileSync(join(unpacked, 'app/a.cue'), 'utf8'), 'content');
  assert.equal(readFileSync(join(unpacked, long), 'utf8'), 'long name');
  assert.ok(sent.metadata.join('\n').includes('ARGOCD_APP_NAME'), 'the environment is sent');
});

test('a sidecar without discovery is used by name only', async (t) => {
  const folder = await serve(t, (method) => ({
    message: method === 'GenerateManifest' ? manifests('kind: Secret\nmetadata: {name: b}\n') : Buffer.alloc(0),
  }));
  const render = await rendererOf(folder);
  assert.equal((await render(source, tree, context)).type, 'Directory');
  assert.equal((await render({ ...source, plugin: { name: 'cue' } }, tree, context)).type, 'Plugin');
});

test('the error of a sidecar is reported, and one that never responds is an error after the time limit', async (t) => {
  const failing = await serve(t, () => ({
    problem: 'error generating manifests: `cue` failed exit status 1: no such field',
  }));
  const named = { ...source, plugin: { name: 'cue' } };
  await assert.rejects((await rendererOf(failing))(named, tree, context), /failed exit status 1: no such field/u);
  const silent = await serve(t, () => 'never');
  await assert.rejects((await rendererOf(silent, 300))(named, tree, context), /it took longer than 300 ms/u);
  rmSync(join(silent, 'cue.sock'));
  writeFileSync(join(silent, 'cue.sock'), '');
  await assert.rejects((await rendererOf(silent))(named, tree, context), /ENOTSOCK|ECONNREFUSED|connect/u);
});
