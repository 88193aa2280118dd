/**
 * A Git server over HTTP that advertises the number of branches in its first argument, as a separate process: generating them must not be
 * measured. The second argument: `prefixes` (sends only the requested refs), `everything` (ignores the requested prefixes) or `old`
 * (supports only version 0 of the protocol). Prints its port, and at each request for refs how many it has sent.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { packet } from '../../src/git/pkt-line.ts';

const count = Number(process.argv[2]);
const mode = process.argv[3];
const id = 'a'.repeat(40);
const refsPerWrite = 2_000;

const server = createServer((request, response) => {
  if (request.method === 'GET') return advertise(response);
  let body = '';
  request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => void answer(body, response));
});

function advertise(response: ServerResponse): void {
  response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
  const service = `${packet('# service=git-upload-pack\n')}0000`;
  if (mode === 'old') {
    response.write(`${service}${packet(`${id} HEAD\0symref=HEAD:refs/heads/n0 agent=test\n`)}`);
    return void send(response, (n) => packet(`${id} refs/heads/n${n}\n`));
  }
  response.end(
    `${service}${packet('version 2\n')}${packet('agent=test\n')}${packet('ls-refs\n')}${packet('fetch\n')}0000`,
  );
}

async function answer(body: string, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'application/x-git-upload-pack-result');
  const prefixes = Array.from(body.matchAll(/ref-prefix (\S+)\n/gu), ([, prefix = '']) => prefix);
  if (mode === 'everything') return send(response, (n) => packet(`${id} refs/heads/n${n}\n`));
  const numbers = prefixes.flatMap((prefix) => [...numbersWith(/^refs\/heads\/n(\d+)$/u.exec(prefix)?.[1] ?? '')]);
  for (const n of numbers) response.write(packet(`${id} refs/heads/n${n}\n`));
  console.log(`sent ${numbers.length}`);
  response.end('0000');
}

/** The branches whose numbers start with these digits. */
function* numbersWith(digits: string): Generator<number> {
  if (digits === '') return;
  for (let [low, high] = [Number(digits), Number(digits) + 1]; low < count; [low, high] = [low * 10, high * 10])
    for (let n = low; n < Math.min(high, count); n++) yield n;
}

/** As fast as the client reads, until it disconnects. */
async function send(response: ServerResponse, ref: (n: number) => string): Promise<void> {
  const closed = once(response, 'close');
  for (let n = 0; n < count && !response.destroyed; n += refsPerWrite) {
    const refs = Array.from({ length: Math.min(refsPerWrite, count - n) }, (_, i) => ref(n + i)).join('');
    if (!response.write(refs)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end('0000');
}

server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
