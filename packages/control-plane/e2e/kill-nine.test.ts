import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '@fairlead/kube';

const rounds = 50;

interface Server {
  readonly child: ChildProcess;
  readonly url: URL;
  readonly agent: Agent;
}

async function start(dir: string): Promise<Server> {
  const child = fork(new URL('../bench/server.ts', import.meta.url), [dir], { execArgv: ['--no-warnings'] });
  const [{ ready }] = (await once(child, 'message')) as [{ ready: { url: string; ca: string } }];
  return { child, url: new URL(ready.url), agent: new Agent({ keepAlive: true, ca: ready.ca }) };
}

function send(server: Server, method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent: server.agent,
        hostname: server.url.hostname,
        port: server.url.port,
        method,
        path,
        headers: {
          authorization: 'Bearer bench',
          ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('aborted', () => reject(new Error('cut off')));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) as Answer }),
        );
      },
    );
    call.on('error', reject);
    call.end(text);
  });
}

interface Answer {
  readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly uid?: string };
  readonly data?: { readonly value: string };
  readonly items?: readonly Answer[];
}

const collection = '/api/v1/namespaces/default/configmaps';

/** Acknowledged writes, which must be present: by name, the last value and revision; undefined is deleted. */
type Promised = Map<string, { value: string; revision: number } | undefined>;

/** One writer: creates, replaces and deletes its own few objects, one request at a time, until the server stops. */
async function write(
  server: Server,
  writer: string,
  promised: Promised,
  uncertain: Set<string>,
  random: () => number,
): Promise<void> {
  for (let step = 0; ; step += 1) {
    const name = `${writer}-${Math.floor(random() * 5)}`;
    const known = promised.get(name);
    const value = `${writer}.${step}.${Math.floor(random() * 1e9)}`;
    uncertain.add(name);
    try {
      if (known === undefined) {
        const { status, body } = await send(server, 'POST', collection, { metadata: { name }, data: { value } });
        assert.equal(status, 201);
        promised.set(name, { value, revision: Number(body.metadata.resourceVersion) });
      } else if (random() < 0.2) {
        assert.equal((await send(server, 'DELETE', `${collection}/${name}`)).status, 200);
        promised.set(name, undefined);
      } else {
        const { status, body } = await send(server, 'PUT', `${collection}/${name}`, {
          metadata: { name },
          data: { value },
        });
        assert.equal(status, 200);
        promised.set(name, { value, revision: Number(body.metadata.resourceVersion) });
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
    uncertain.delete(name);
  }
}

test(`kill -9 during a stream of writes, ${rounds} times: every acknowledged write is kept and revisions never decrease`, {
  timeout: 300_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-kill-'));
  const random = seededRandom(Date.now());
  const promised: Promised = new Map();
  const uncertain = new Set<string>();
  let highest = 0;
  let answered = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const server = await start(dir);
      const { body: list } = await send(server, 'GET', collection);
      const found = new Map(list.items!.map((item) => [item.metadata.name!, item]));
      assert.ok(Number(list.metadata.resourceVersion) >= highest, `round ${round}: revision went back`);
      for (const [name, expected] of promised) {
        const item = found.get(name);
        if (expected === undefined) assert.equal(item, undefined, `round ${round}: ${name} came back`);
        else {
          assert.equal(item?.data?.value, expected.value, `round ${round}: ${name} was lost`);
          assert.equal(Number(item?.metadata.resourceVersion), expected.revision);
        }
      }
      // Objects with unacknowledged writes are removed, so that the writers start from a known state.
      for (const name of uncertain) await send(server, 'DELETE', `${collection}/${name}`);
      uncertain.clear();
      const writers = Array.from({ length: 4 }, (_, index) => write(server, `w${index}`, promised, uncertain, random));
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 150));
      server.child.kill('SIGKILL');
      await once(server.child, 'exit');
      await Promise.all(writers);
      server.agent.destroy();
      // A write without a response may or may not have happened: the next round does not check it.
      for (const name of uncertain) promised.delete(name);
      for (const kept of promised.values()) {
        if (!kept) continue;
        answered += 1;
        highest = Math.max(highest, kept.revision);
      }
    }
    assert.ok(answered > rounds, 'the writers got through');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
