import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoMap } from '@fairlead/render/go-template';
import { TemplateError, textRenderer } from './text-renderer.ts';

const params = new GoMap([
  ['name', 'web'],
  ['count', 3],
]);

test('plain templates replace texts, and leave what they do not know', () => {
  const { render } = textRenderer({});
  assert.equal(render('{{name}}-{{ name }}-{{nope}}-{{count}}-{{}}', params), 'web-web-{{nope}}-{{count}}-{{}}');
  assert.throws(() => render('{{name}} {{', params), /Cannot find end tag/u);
});

test('what a missing key gives depends on the options', () => {
  const of = (...goTemplateOptions: string[]) => textRenderer({ goTemplate: true, goTemplateOptions }).render;
  assert.equal(of()('{{.nope}}', params), '<no value>');
  assert.equal(of('missingkey=zero')('{{.nope}}', params), '<no value>');
  assert.throws(() => of('missingkey=error')('{{.nope}}', params), /map has no entry for key "nope"/u);
});

test('an option that does not exist is an error, and not a crash', () => {
  assert.throws(() => textRenderer({ goTemplate: true, goTemplateOptions: ['nonsense'] }), TemplateError);
});

test('a template that runs too long fails', () => {
  const { render } = textRenderer({ goTemplate: true });
  assert.throws(
    () => render('{{range until 90000}}{{range until 90000}}{{end}}{{end}}', params),
    /more than .* (?:steps|ms of CPU time)/u,
  );
});

test('functions that tell about the machine do not exist', () => {
  const { render } = textRenderer({ goTemplate: true });
  for (const call of ['env "HOME"', 'expandenv "$HOME"', 'getHostByName "localhost"'])
    assert.throws(() => render(`{{ ${call} }}`, params), /not defined/u);
});
