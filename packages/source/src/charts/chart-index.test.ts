import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ChartIndex } from './chart-index.ts';
import { scanIndex } from './index-scanner.ts';

const scratch = mkdtempSync(join(tmpdir(), 'fairlead-index-'));
after(() => rmSync(scratch, { recursive: true }));
let count = 0;
const written = (text: string): string => {
  const file = join(scratch, `${count++}.yaml`);
  writeFileSync(file, text);
  return file;
};
const versionsOf = async (text: string, chart: string): Promise<string[] | undefined> =>
  (await (await ChartIndex.read(written(text), 'index')).versions(chart))?.map(({ version }) => version);

const shapes: Record<string, string> = {
  'as helm writes it':
    'apiVersion: v1\nentries:\n  a:\n  - urls: [x]\n    version: 1.0.0\n  web:\n  - urls:\n    - u.tgz\n    version: 1.2.0\n  - urls:\n    - u.tgz\n    version: 1.10.0\ngenerated: now\n',
  'lists indented':
    'entries:\n    web:\n        - version: 1.2.0\n          urls:\n              - u.tgz\n        - version: 1.10.0\n          urls: [u.tgz]\n    a:\n        - version: 1.0.0\n          urls: [x]\n',
  'comments, blank lines, quoted names, CRLF':
    '# index\r\nentries:\r\n\r\n  # first\r\n  "web":\r\n  - version: "1.2.0"\r\n    urls: [u.tgz]\r\n\r\n  - version: \'1.10.0\'\r\n    urls: [u.tgz]\r\n  \'a\': # the other\r\n  - version: 1.0.0\r\n    urls: [x]\r\n',
  JSON: '{"apiVersion":"v1","entries":{"web":[{"version":"1.2.0","urls":["y"]},{"version":"1.10.0","urls":["y"]}],"a":[{"version":"1.0.0","urls":["x"]}]}}',
  'flow style':
    'entries: {web: [{version: 1.2.0, urls: [u.tgz]}, {version: 1.10.0, urls: [u.tgz]}], a: [{version: 1.0.0, urls: [x]}]}\n',
  'anchors across charts':
    'entries:\n  a:\n  - &x\n    version: 1.0.0\n    urls: [x]\n  web:\n  - <<: *x\n    version: 1.2.0\n  - <<: *x\n    version: 1.10.0\n',
  'texts that look like keys':
    'entries:\n  web:\n  - description: |\n      first\n\n      evil:\n      - x\n    version: 1.2.0\n    urls: [u.tgz]\n  - description: "one\n      two:"\n    version: 1.10.0\n    urls: [u.tgz]\n  a:\n  - version: 1.0.0\n    urls: [x]\n',
};
describe('the same index in other YAML styles', () => {
  for (const [shape, text] of Object.entries(shapes)) {
    test(shape, async () => {
      assert.deepEqual(await versionsOf(text, 'web'), ['1.10.0', '1.2.0']);
      assert.deepEqual(await versionsOf(text, 'a'), ['1.0.0']);
      for (const none of ['evil', 'two', 'entries', 'toString', '__proto__', 'x']) {
        assert.equal(await versionsOf(text, none), undefined, none);
      }
    });
  }
});

test('indexes written by common tools are scanned without a full parse', async () => {
  for (const shape of ['as helm writes it', 'lists indented', 'texts that look like keys']) {
    assert.deepEqual([...(await scanIndex(written(shapes[shape]!)))!.keys()].sort(), ['a', 'web'], shape);
  }
});

test('versions that Helm would not install are ignored', async () => {
  const text =
    'entries:\n  web:\n  - version: latest\n    urls: [u.tgz]\n  - version: 1.0.0\n    urls: []\n  - urls: [u.tgz]\n  - nothing\n  - version: 2.0.0\n    urls: [u.tgz]\n';
  assert.deepEqual(await versionsOf(text, 'web'), ['2.0.0']);
});

test('an index without charts', async () => {
  assert.equal(await versionsOf('apiVersion: v1\nentries: {}\n', 'web'), undefined);
  assert.equal(await versionsOf('apiVersion: v1\nentries:\ngenerated: x\n', 'web'), undefined);
});
