/** Requests that could stop webhooks, or the whole process. */
import assert from 'node:assert/strict';
import { limits, sleep, systemClock } from '@fairlead/kube';
import { attackFrom, attackTest, withstands } from './support/attack-suite.ts';

/** Repeatedly 8 MB of a push in the format of Azure DevOps. Posts the status of each response. */
const flood = `
  const { parentPort, workerData } = require('node:worker_threads');
  const refUpdates = Array.from({ length: 700000 }, () => ({ name: '' }));
  const repository = { remoteUrl: 'https://dev.azure.com/org/p/_git/shop', defaultBranch: 'refs/heads/main' };
  const body = JSON.stringify({ eventType: 'git.push', resource: { repository, refUpdates } });
  (async () => {
    for (;;) {
      // The server may close the connection before everything is sent.
      const send = fetch(workerData.url, { method: 'POST', body, headers: workerData.headers });
      parentPort.postMessage(await send.then(({ status }) => status, () => 413));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
`;

attackTest('8 MB with 700,000 refs and no secret are refused without reading them', {}, async (suite) => {
  await withstands(suite, async (signal) => {
    const headers = { 'x-vss-activityid': '1' };
    const codes = await attackFrom<number>(flood, { url: suite.webhook, headers }, signal);
    assert.ok(codes.length > 0 && codes.every((code) => code === 413 || code === 429), codes.join());
  });
});

const secrets = { gitlab: 's', azureUsername: 'u', azurePassword: 'p' };
attackTest(
  '8 MB with 700,000 refs from a sender with the secret are refused without parsing them',
  { secrets },
  async (suite) => {
    await withstands(suite, async (signal) => {
      const headers = { 'x-vss-activityid': '1', authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
      const began = performance.now();
      const codes = await attackFrom<number>(flood, { url: suite.webhook, headers }, signal);
      assert.equal(codes[0], 400);
      // 8 MB count as 32 requests.
      const requests = limits.webhookBurst + (limits.webhookPerSecond * (performance.now() - began)) / 1000;
      assert.ok(codes.filter((code) => code === 400).length <= 1 + requests / 32, codes.join());
    });
  },
);

attackTest('a repository URL with an invalid % sequence does not affect others', {}, async (suite) => {
  for (const [i, repoURL] of [`http://host/%zz`, 'https://[::1/x', '::x', '%'].entries()) {
    const app = await suite.create(`broken-${i}`, {}, { spec: { source: { repoURL, path: '.' } } });
    await app.reaches('refused with a condition', ({ status }) =>
      (status?.conditions ?? []).some(
        ({ type, message }) => type === 'InvalidSpecError' && message.includes('is not valid'),
      ),
    );
  }
  await withstands(suite, async (signal) => {
    while (!signal.aborted) {
      const urls = { html_url: 'http://host/%zz', clone_url: 'http://[', ssh_url: 'git@host:%zz' };
      const answer = await fetch(suite.webhook, {
        method: 'POST',
        body: JSON.stringify({ ref: 'refs/heads/main', repository: urls }),
        headers: { 'x-github-event': 'push' },
      });
      assert.ok([200, 429].includes(answer.status));
      await sleep(systemClock, 100);
    }
  });
});

attackTest('requests for /% do not stop the Git server of the demo', {}, async (suite) => {
  await withstands(suite, async (signal) => {
    while (!signal.aborted) {
      for (const path of ['/%', '/%zz', '//%', '/neighbour/%c0%af/info/refs']) {
        const answer = await rawGet(suite.git.url, path);
        assert.match(answer, /^HTTP\/1\.1 (?:400|404|500)/u, path);
      }
      await sleep(systemClock, 20);
    }
  });
});

/** `fetch` would normalize the path. */
async function rawGet(base: string, path: string): Promise<string> {
  const { connect } = await import('node:net');
  const { port } = new URL(base);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    );
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}
