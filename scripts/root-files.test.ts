/** The files at the root agree with each other. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('.editorconfig has the settings of biome.json', () => {
  const { formatter }: { formatter: Record<string, unknown> } = JSON.parse(read('biome.json'));
  const [, common = ''] = read('.editorconfig').split(/^\[.*\]$/m);
  const settings = new Map(Array.from(common.matchAll(/^(\w+) = (.+)$/gm), ([, name, value]) => [name, value]));
  assert.equal(settings.get('indent_style'), formatter['indentStyle']);
  assert.equal(settings.get('indent_size'), String(formatter['indentWidth']));
  assert.equal(settings.get('max_line_length'), String(formatter['lineWidth']));
});

test('CHANGELOG.md lists versions, newest first: Unreleased, then the version of package.json', () => {
  const { version }: { version: string } = JSON.parse(read('package.json'));
  const headings = Array.from(read('CHANGELOG.md').matchAll(/^## (\S+)/gm), ([, heading]) => heading);
  assert.deepEqual(headings.slice(0, 2), ['Unreleased', version]);
});

test('every script of package.json is described in README.md or CONTRIBUTING.md', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  const pages = read('README.md') + read('CONTRIBUTING.md');
  const missing = Object.keys(scripts).filter((name) => !new RegExp(`npm (run )?(-s )?${name}\\b`).test(pages));
  assert.deepEqual(missing, []);
});
