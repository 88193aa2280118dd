import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoMap } from '@fairlead/render/go-template';
import { TemplateError, textRenderer } from './text-renderer.ts';

/** The limit is 250 ms of CPU time without a turn for other work; two limits of 50 ms and one call fit in. */
const maxMs = 250;
const params = new GoMap([['text', 'a'.repeat(100_000)]]);

const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - before) / 1_000;
};

for (const body of [
  '$x := sha256sum $.text',
  '$x := regexFindAll "a" $.text -1',
  '$x := splitList "" $.text',
  '$x := bcrypt "x"',
])
  test(`a template that calls {{ ${body} }} again and again fails before it blocks the process`, () => {
    const texts = textRenderer({ goTemplate: true });
    const template = `{{ range until 90000 }}{{ ${body} }}{{ end }}`;
    const used = cpuMs(() => assert.throws(() => texts.render(template, params), TemplateError));
    assert.ok(used < maxMs, `${used} ms`);
  });

test('the texts of one Application share the limit, and others have their turn before the next', async () => {
  const texts = textRenderer({ goTemplate: true });
  const slow = '{{ range until 50 }}{{ $x := sha256sum $.text }}{{ end }}';
  await texts.begin();
  assert.throws(() => {
    for (let i = 0; i < 1_000; i++) texts.render(slow, params);
  }, /ms of CPU time/u);
  let turns = 0;
  const other = setInterval(() => (turns += 1), 1);
  for (let i = 0; i < 20; i++) {
    await texts.begin();
    texts.render(slow, params);
  }
  clearInterval(other);
  assert.ok(turns > 0, 'other work had no turn');
});
