import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { HttpSession } from '../../src/http/http-session.ts';
import { readBody } from '../../src/http/read-body.ts';
import { type Listening, listen } from '../support/listen.ts';

let server: Listening;
let url = '';
let http: HttpSession;

before(async () => {
  // A byte every 20 ms, forever; on `/silent` nothing.
  server = await listen((request, response) => {
    if (request.url?.startsWith('/silent')) return;
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  });
  ({ url } = server);
  http = new HttpSession({ clock: systemClock, environment: {} });
});
after(async () => {
  await http.close();
  await server.close();
});

test('a response that never ends is aborted at the deadline', async () => {
  const read = async () => readBody(await http.send({ url: `${url}/slow`, deadlineMs: 300 }), 1_000_000);
  await assert.rejects(read(), {
    reason: 'RepositoryUnavailable',
    message: `${url}/slow: the response took longer than 300 ms`,
  });
});

test('a request without a response is aborted at the deadline', async () => {
  await assert.rejects(http.send({ url: `${url}/silent?token=x`, deadlineMs: 300 }), {
    message: `${url}/silent: the response took longer than 300 ms`,
  });
});

test('requests end with the session, and none starts after its end', async () => {
  const session = new HttpSession({ clock: systemClock, environment: {} });
  const pending = assert.rejects(session.send({ url: `${url}/silent` }), { reason: 'RepositoryUnavailable' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  await session.close();
  await pending;
  await assert.rejects(session.send({ url }), /the process is about to end/);
});
