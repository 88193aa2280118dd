import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from '../app/application/resource/ansi.ts';
import { filterText, fleetSearch, hasFilters, toggled } from '../app/fleet/search.ts';
import { ageText } from '../app/lib/age.ts';
import { safeUrl } from '../app/lib/safe-url.ts';
import { parseSearch, stringifySearch } from '../app/lib/search-params.ts';

test('the URL is the state: it is read as it was written', () => {
  const search = fleetSearch(parseSearch('?q=web&sync=OutOfSync&sync=Unknown&view=tiles&sort=-health&label=a%3Db'));
  assert.deepEqual(search, {
    q: 'web',
    sync: ['OutOfSync', 'Unknown'],
    view: 'tiles',
    sort: '-health',
    label: ['a=b'],
  });
  assert.deepEqual(fleetSearch(parseSearch(stringifySearch(search))), search);
});

test('what the URL must not say is ignored', () => {
  assert.deepEqual(fleetSearch(parseSearch('?view=evil&sort=x&group=y&other=z')), {});
  assert.equal(filterText(fleetSearch(parseSearch('?health=Broken&health=Degraded'))), 'health=Degraded');
});

test('a filter is added and removed', () => {
  const once = toggled({}, 'project', 'shop');
  assert.deepEqual(once.project, ['shop']);
  assert.equal(hasFilters(toggled(once, 'project', 'shop')), false);
});

test('ages are as kubectl prints them', () => {
  assert.deepEqual([-3, 45, 720, 3 * 3600, 5 * 86_400].map(ageText), ['0s', '45s', '12m', '3h', '5d']);
});

test('a link is a web address or none', () => {
  assert.equal(safeUrl('https://example.com/a'), 'https://example.com/a');
  for (const url of ['javascript:alert(1)', 'data:text/html,x', ' javascript:x', 'x', undefined])
    assert.equal(safeUrl(url), undefined);
});

test('control sequences of terminals are removed from logs', () => {
  assert.equal(plainText('\u001b[31mred\u001b[0m\tand \u001b]0;title\u0007text\u0000'), 'red\tand text');
});
