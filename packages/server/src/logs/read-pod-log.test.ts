import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fairlead/kube';
import { logPath, readPodLog } from './read-pod-log.ts';

const options = { container: 'main', follow: false, previous: false, sinceSeconds: 0, sinceTime: '', tailLines: 0 };
const pod = { namespace: 'shop', name: 'web-1' };

async function linesOf(...chunks: (string | Error)[]): Promise<string[]> {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield Buffer.from(chunk);
    }
  };
  const lines: string[] = [];
  for await (const { line } of readPodLog(stream, pod, options, new AbortController().signal)) lines.push(line);
  return lines;
}

const at = '2024-01-02T03:04:05.000000001Z';

test('lines are put together from chunks, and divided at carriage returns', async () => {
  assert.deepEqual(await linesOf(`${at} fir`, `st\n${at} 1%\r50%\r100%\n${at}\n${at} last`), [
    'first',
    '1%',
    '50%',
    '100%',
    '',
    'last',
  ]);
});

test('the rest of a line that is too long is dropped', async () => {
  const long = 'x'.repeat(limits.apiLogLineBytes);
  const [first, ...others] = await linesOf(`${at} ${long}`, long, long, `\n${at} next\n`);
  assert.ok(first?.startsWith('xxx') && first.length < limits.apiLogLineBytes);
  assert.deepEqual(others, ['next']);
});

test('a log that cannot be read is an entry with the reason; one that breaks off is an error', async () => {
  assert.deepEqual(await linesOf(new Error('container is waiting')), ['container is waiting']);
  await assert.rejects(linesOf(`${at} first\n`, new Error('connection lost')), /connection lost/u);
});

test('the options of a log become its query', () => {
  const path = logPath({ namespace: 'a/b', name: 'c?' }, { ...options, follow: true, tailLines: 5 });
  assert.equal(path, '/api/v1/namespaces/a%2Fb/pods/c%3F/log?timestamps=true&container=main&follow=true&tailLines=5');
});
