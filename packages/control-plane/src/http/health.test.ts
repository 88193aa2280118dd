import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from './exchange.ts';
import { healthRoute } from './health.ts';

function ask(target: string, isReady = true): string | undefined {
  const { pathname, searchParams } = new URL(target, 'https://x');
  let answer: string | undefined;
  const exchange = { query: searchParams, sendPlain: (code: number, text: string) => (answer = `${code} ${text}`) };
  healthRoute(pathname, () => isReady)?.(exchange as unknown as Exchange);
  return answer;
}

test('health is one word, a line for each check when asked, or one check', () => {
  assert.equal(ask('/livez'), '200 ok');
  assert.equal(ask('/livez?verbose'), '200 [+]ping ok\n[+]log ok\n[+]storage ok\nlivez check passed\n');
  assert.equal(ask('/livez/ping'), '200 ok');
  assert.equal(ask('/livez/nosuch'), '404 404 page not found\n');
  assert.equal(ask('/livezz'), undefined);
});

test('what is not ready yet says which check, unless that one is left out', () => {
  assert.match(ask('/readyz', false)!, /^503 .*\[-\]ready failed: not ready yet\nreadyz check failed\n$/s);
  assert.equal(ask('/readyz?exclude=ready', false), '200 ok');
  assert.match(ask('/readyz?verbose&exclude=ready&exclude=x')!, /excluded: ok\nwarn: .* no matches for "x"\n/);
});
