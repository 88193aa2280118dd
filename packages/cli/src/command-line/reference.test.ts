import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseRenderArgs } from '../render/flags.ts';
import { overview, page, pageFor } from './help.ts';
import { parseCommand } from './parse.ts';
import { reference } from './reference.ts';
import { entries } from './table.ts';

test('docs/cli.md matches the command table', () => {
  const written = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  assert.equal(written, reference(), 'regenerate it: npm run reference');
});

test('every command can be loaded and has help, a summary and valid examples', async () => {
  for (const { spec, load, reads } of entries) {
    assert.equal(typeof (await load()).run, 'function', spec.name);
    assert.equal(pageFor(spec.name.split(' ')), page(spec));
    assert.match(spec.summary, /^\S.{8,110}$/);
    assert.ok(spec.examples.length > 0, spec.name);
    for (const example of spec.examples) {
      assert.ok(example === spec.name || example.startsWith(`${spec.name} `), example);
      const words = example.slice(spec.name.length).split(/ [|&]/u)[0]!.split(' ').filter(Boolean);
      if (reads === 'table') parseCommand(spec, words);
    }
  }
});

test('each line of the overview has a summary', () => {
  const lines = overview()
    .split('\n')
    .filter((line) => line.startsWith('  fairlead'));
  assert.ok(lines.length > 15);
  for (const line of lines) assert.match(line, /^ {2}fairlead \S+ {3,}\S.{8,110}$/u);
});

test('commands that parse their own flags document these flags', () => {
  const render = entries.find(({ spec }) => spec.name === 'render')!.spec;
  for (const [name, { type, short }] of Object.entries(render.flags)) {
    const value = type === 'boolean' ? [] : ['x'];
    assert.ok(name in parseRenderArgs([`--${name}`, ...value]).values, name);
    if (short) assert.ok(name in parseRenderArgs([`-${short}`, ...value]).values, short);
  }
});
