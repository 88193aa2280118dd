import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sanitizeName } from './sanitize-name.ts';
import { branchSlug, slugify } from './slug.ts';

const smart = { maxLength: 50, smartTruncate: true };

test('a name keeps letters, digits, dots and dashes', () => {
  assert.equal(sanitizeName('My_App v1.2/'), 'my-app-v1.2');
  assert.equal(sanitizeName('.-x-.'), 'x');
  assert.equal(sanitizeName('a'.repeat(300)).length, 253);
});

test('a slug is cut between words, or within one on request', () => {
  assert.equal(
    branchSlug('bugfix/THIS_is-a-very-long-branch-name-that-goes-well-beyond-the-fifty-characters'),
    'bugfix-this-is-a-very-long-branch-name-that-goes',
  );
  assert.equal(slugify('feature/some-long-name', { maxLength: 10, smartTruncate: true }), 'feature');
  assert.equal(slugify('feature/some-long-name', { maxLength: 10, smartTruncate: false }), 'feature-so');
  assert.equal(slugify('averyveryverylongword', { maxLength: 5, smartTruncate: true }), 'avery');
});

test('letters with marks lose them, and other characters become dashes', () => {
  assert.equal(branchSlug('Über/Straße & Co'), 'uber-strasse-and-co');
  assert.equal(slugify('a@b', smart), 'a-b');
});
