import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseImage } from '../reference/image-reference.ts';
import { branchName, commitMessage, defaultCommitTemplate, type ImageChange, Template } from './templates.ts';

const change: ImageChange = {
  image: parseImage('web=ghcr.io/acme/web'),
  old: { tag: '1.0', digest: undefined },
  new: { tag: '1.1', digest: 'sha256:ab' },
  labels: { revision: 'abc' },
};
const message = (text: string): string => commitMessage(new Template(text, 'commit message'), 'shop', [change]);

test('a template can use changes, labels and images', () => {
  assert.equal(
    message(defaultCommitTemplate),
    "build: automatic update of shop\n\nupdates image acme/web tag '1.0' to 'sha256:ab'\n",
  );
  assert.equal(
    message('{{ range .AppChanges }}{{ .Labels.revision }}[{{ index .Labels "none" }}][{{ .Labels.none }}]{{ end }}'),
    'abc[][]',
  );
});

test('a template with a syntax error or an unknown field is an error', () => {
  assert.throws(() => new Template('{{ .AppName', 'commit message'), { reason: 'InvalidTemplate' });
  assert.throws(() => message('{{ .Application }}'), { reason: 'InvalidTemplate' });
  assert.throws(() => message('{{ range .AppChanges }}{{ .Tag }}{{ end }}'), { reason: 'InvalidTemplate' });
  assert.throws(() => message('{{ nofunction }}'), { reason: 'InvalidTemplate' });
});

test('a branch name that is too long is truncated at a character boundary', () => {
  const name = branchName(new Template('é'.repeat(200), 'branch'), {
    namespace: '',
    application: '',
    targetKey: '',
    changes: [],
  });
  assert.equal(name, 'é'.repeat(127));
});
