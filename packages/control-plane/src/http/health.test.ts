import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from './exchange.ts';
import { healthRoute } from './health.ts';

function ask(target: string, problem?: { check: string; reason: string }): string | undefined {
  const { pathname, searchParams } = new URL(target, 'https://x');
  let answer: string | undefined;
  const exchange = { query: searchParams, sendPlain: (code: number, text: string) => (answer = `${code} ${text}`) };
  healthRoute(pathname, (check) => (check === problem?.check ? problem.reason : undefined))?.(
    exchange as unknown as Exchange,
  );
  return answer;
}

test('health is one word, verbose has a line for each check, and a single check can be requested', () => {
  assert.equal(ask('/livez'), '200 ok');
  assert.equal(ask('/livez?verbose'), '200 [+]ping ok\n[+]log ok\n[+]storage ok\nlivez check passed\n');
  assert.equal(ask('/livez/ping'), '200 ok');
  assert.equal(ask('/livez/nosuch'), '404 404 page not found\n');
  assert.equal(ask('/livezz'), undefined);
});

test('a failed check reports the reason, unless it is excluded', () => {
  const full = { check: 'storage', reason: 'the disk is full' };
  assert.match(ask('/readyz', full)!, /^503 .*\[-\]storage failed: the disk is full\n.*readyz check failed\n$/s);
  assert.equal(ask('/readyz/storage', full), '503 the disk is full');
  assert.equal(ask('/readyz?exclude=storage', full), '200 ok');
  assert.match(ask('/readyz?verbose&exclude=ready&exclude=x')!, /excluded: ok\nwarn: .* no matches for "x"\n/);
});

test('a process whose storage rejects writes is live: a restart would not help', () => {
  assert.equal(ask('/livez', { check: 'storage', reason: 'the disk is full' }), '200 ok');
});
