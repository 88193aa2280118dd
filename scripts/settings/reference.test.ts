import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingTable } from '@fairlead/api/settings';
import {
  differencesPage,
  referencePage,
  settingDifferences,
  settingsReference,
  withSettingDifferences,
} from './reference.ts';

const advice = 'regenerate it: npm run reference';

test('docs/reference/settings.md is made from the table', () => {
  assert.equal(readFileSync(referencePage, 'utf8'), settingsReference(), advice);
});

test('the settings in docs/differences.md are made from the table', () => {
  const page = readFileSync(differencesPage, 'utf8');
  assert.equal(withSettingDifferences(page), page, advice);
});

test('every key that is not honoured is in the section on differences, with its reason', () => {
  const lines = settingDifferences().split('\n');
  for (const { settings } of settingTable) {
    for (const [key, { status, note }] of Object.entries(settings)) {
      if (status === 'honoured') continue;
      assert.ok(
        lines.some((line) => line.includes(`\`${key}\``) && line.includes(note)),
        key,
      );
    }
  }
});

test('a page keeps what is before and after the section', () => {
  const page = '# Differences\n\n## Settings\n\nold\n\n## Last\n\ntext\n';
  const written = withSettingDifferences(page);
  assert.ok(written.startsWith('# Differences\n\n## Settings\n'));
  assert.ok(written.endsWith('\n## Last\n\ntext\n'));
  assert.ok(!written.includes('old\n'));
  assert.equal(withSettingDifferences(written), written);
});
