import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepositoryCredentials } from '../credentials/credentials.ts';
import { FollowRedirects } from './follow-redirects.ts';
import { RedirectError } from './redirect.ts';

const credentials: RepositoryCredentials = { name: 'a', username: 'ann', password: 'secret', noProxy: 'x' };

/** Reads through servers that redirect from each address to the next; returns the requests with their passwords. */
async function follow(addresses: readonly string[], permit: (url: string) => void = () => {}) {
  const requests: [url: string, password: string | undefined][] = [];
  const [first = ''] = addresses;
  await new FollowRedirects().follow(first, { credentials, permitRedirect: permit }, async (url, ask) => {
    requests.push([url, ask.credentials?.password]);
    const next = addresses[addresses.indexOf(url) + 1];
    if (next !== undefined) throw new RedirectError(url, next);
  });
  return requests;
}

test('a redirect is followed with the credentials on the same host, and without them on another', async () => {
  const addresses = ['https://git.example.com/a', 'https://git.example.com/b', 'https://other.example.com/b'];
  assert.deepEqual(
    await follow(addresses),
    addresses.map((url) => [url, url.includes('other') ? undefined : 'secret']),
  );
});

test('credentials are not restored after a redirect through another host', async () => {
  const requests = await follow(['https://a.example.com/x', 'https://b.example.com/x', 'https://a.example.com/y']);
  assert.deepEqual(
    requests.map(([, password]) => password),
    ['secret', undefined, undefined],
  );
});

test('the project must permit each address before it is requested', async () => {
  const permit = (url: string): void => {
    if (url.includes('other')) throw new Error(`${url} is not permitted`);
  };
  await assert.rejects(follow(['https://a.example.com/x', 'https://other.example.com/x'], permit), /is not permitted/);
});

test('a redirect from HTTPS to HTTP is refused', async () => {
  await assert.rejects(follow(['https://a.example.com/x', 'http://a.example.com/y']), /which is not encrypted/);
  await follow(['http://a.example.com/x', 'http://a.example.com/y']);
});

test('at most five redirects are followed', async () => {
  const addresses = Array.from({ length: 7 }, (_, index) => `https://a.example.com/${index}`);
  await follow(addresses.slice(0, 6));
  await assert.rejects(follow(addresses), /too many redirects/);
});
