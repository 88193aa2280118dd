import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openFileStorage } from './file-storage.ts';
import { dataOf, manualClock } from './storage-samples.ts';

interface Line {
  /** Undefined before the response: the write is attempted. */
  readonly revision: number | undefined;
  readonly name: string;
  /** `-` is a delete. */
  readonly value: string;
}

const rounds = 50;
const lanes = 2;

/** The acknowledged writes before the kill, which is at a different time in each round. */
function writeAndKill(dir: string, round: number): Promise<Line[]> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../test/support/storage/killed-writer.ts'), dir, String(round)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    child.stdout.on('data', (data) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), (round * 7.3) % 60);
      output += data;
    });
    child.on('close', () => resolve(output.split('\n').slice(0, -1).map(parseLine)));
  });
}

function parseLine(line: string): Line {
  const [revision, name, value] = line.split(' ');
  return { revision: revision === '?' ? undefined : Number(revision), name: name!, value: value! };
}

async function killRepeatedly(lane: number): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-kill-'));
  const answered = new Map<string, string>();
  let highest = 0;
  let count = 0;
  for (let round = lane; round < rounds; round += lanes) {
    const tried = new Map<string, string>();
    for (const { revision, name, value } of await writeAndKill(dir, round)) {
      if (revision === undefined) {
        tried.set(name, value);
        continue;
      }
      assert.ok(revision > highest, `revision ${revision} was answered after ${highest}`);
      highest = revision;
      tried.delete(name);
      answered.set(name, value);
      count++;
    }
    const storage = await openFileStorage({ dir, clock: manualClock(), report: () => {} });
    assert.ok(storage.revision >= highest);
    for (const [name, value] of answered) {
      const found = dataOf(storage.get('core/configmaps', 'ns', name))?.split(' ')[0] ?? '-';
      if (found === tried.get(name)) answered.set(name, found);
      else assert.equal(found, value, `${name} in round ${round}`);
    }
    highest = Math.max(highest, storage.revision);
    await storage.close();
  }
  rmSync(dir, { recursive: true });
  return count;
}

test(`after kill -9, ${rounds} times, every acknowledged write is kept and revisions never decrease`, async (t) => {
  const counts = await Promise.all(Array.from({ length: lanes }, (_, lane) => killRepeatedly(lane)));
  t.diagnostic(`${counts.reduce((a, b) => a + b)} answered writes`);
});
