import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editKustomization } from './kustomization-file.ts';

test('an entry is changed in place; everything else remains byte for byte', () => {
  const before = `# ours\nresources:\n  - a.yaml # first\n\nimages:\n  # the web\n  - name: web\n    newTag: "1.0" # now\n\n  - name: other\n    newTag: x\n`;
  assert.equal(editKustomization(before, ['web:1.20']), before.replace('"1.0"', '"1.20"'));
  assert.equal(editKustomization(before, ['web:1.0']), before);
});

test('entries are added, replaced and created', () => {
  const before = 'images:\n- name: web\n  newName: old/web\n  newTag: a\n\nresources: []\n';
  assert.equal(
    editKustomization(before, ['web=new/web:b']),
    before.replace('old/web', 'new/web').replace('newTag: a', 'newTag: b'),
  );
  assert.equal(
    editKustomization(before, ['web@sha256:1']),
    'images:\n- name: web\n  digest: sha256:1\n\nresources: []\n',
  );
  assert.equal(
    editKustomization(before, ['db:1.2.3']),
    'images:\n- name: web\n  newName: old/web\n  newTag: a\n- name: db\n  newTag: 1.2.3\n\nresources: []\n',
  );
  assert.equal(
    editKustomization('resources: []\nimages: []\n', ['db:16']),
    'resources: []\nimages:\n- name: db\n  newTag: "16"\n',
  );
  assert.equal(editKustomization('resources: []\n', ['db:v1']), 'resources: []\nimages:\n- name: db\n  newTag: v1\n');
  assert.equal(editKustomization('images: [{name: db, newTag: a}]\n', ['db:b']), 'images: [{name: db, newTag: b}]\n');
});

test('the name remains as in the manifests', () => {
  assert.equal(
    editKustomization('images:\n- name: docker.io/library/nginx\n  newTag: a\n', ['docker.io/library/nginx:b']),
    'images:\n- name: docker.io/library/nginx\n  newTag: b\n',
  );
});

test('a file that is not a kustomization is refused', () => {
  for (const text of ['- a\n', 'images: text\n', 'a: ['])
    assert.throws(() => editKustomization(text, ['a:b']), { reason: 'CannotWrite' }, text);
});
