import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '@fairlead/kube';
import { listen } from '../../test/support/listen.ts';
import { HttpSession } from '../http/http-session.ts';
import { RegistryAuth } from './registry-auth.ts';

const http = new HttpSession({ clock: systemClock, environment: {} });
after(() => http.close());
const credentials = { name: 'a', username: 'ann', password: 'secret' };

test('a password is not sent to a token server without TLS, unless the registry itself has none', async () => {
  const received: string[] = [];
  const server = await listen((request, response) => {
    received.push(request.headers.authorization ?? '');
    response.end('{"token":"t"}');
  });
  try {
    const challenge = `Bearer realm="${server.url}/token",service="r"`;
    const encrypted = new RegistryAuth(http, systemClock, 'https://registry.example.com', credentials);
    await assert.rejects(encrypted.answer('scope', challenge), /which is not encrypted/);
    assert.deepEqual(received, []);
    const plain = new RegistryAuth(http, systemClock, 'http://registry.example.com', credentials);
    assert.equal(await plain.answer('scope', challenge), 'Bearer t');
    assert.equal(received.length, 1);
  } finally {
    await server.close();
  }
});
