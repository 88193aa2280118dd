/** The alert rules and dashboards of `deploy/observability`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { alerts, dashboards } from '@fairlead/cli/deploy';
import { debianPart } from '@fairlead/source/testing';
import { deployFolder } from './generated-deploy.ts';

const folder = join(deployFolder, 'observability');
const { path: promtool, skip } = debianPart('promtool', 'prometheus');

test('promtool accepts the rules', { skip }, () => {
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'rules', join(folder, 'alerts.yaml')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, new RegExp(`SUCCESS: ${alerts.length} rules found`, 'u'));
});

test('the unit tests of the rules pass', { skip }, () => {
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', join(folder, 'alerts.test.yaml')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
});

test('every alert has a unit test in which it fires, and a section in the docs', () => {
  const tests = readFileSync(join(folder, 'alerts.test.yaml'), 'utf8');
  const docs = readFileSync(join(deployFolder, '../docs/operate/alerts.md'), 'utf8');
  for (const { name } of alerts) {
    assert.match(tests, new RegExp(`alertname: ${name}\\n +exp_alerts:\\n`, 'u'), `${name} has no unit test`);
    assert.match(docs, new RegExp(`^## ${name}$`, 'mu'), `${name} has no section`);
  }
});

test('dashboards have panels that do not overlap', () => {
  assert.deepEqual(
    dashboards.map(({ name }) => name),
    ['fleet', 'controller', 'agents'],
  );
  for (const { name } of dashboards) {
    const { panels } = JSON.parse(readFileSync(join(folder, 'dashboards', `${name}.json`), 'utf8'));
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${name}: ${title} overlaps`);
          taken.add(`${x} ${y}`);
        }
      }
    }
  }
});
