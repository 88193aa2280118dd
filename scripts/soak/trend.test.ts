import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@fairlead/kube';
import { csvHeader, csvRows, type Reading, type Sample } from './measures.ts';
import { plot } from './plot.ts';
import { median, trends } from './trend.ts';

const random = seededRandom(1);
const calm: Reading = { heap: 50, rss: 150, childRss: 60, descriptors: 40, lag: 20, children: 1 };

/** Samples each 30 s for an hour, with restarts; `change` is added to the calm reading. */
const series = (
  change: (minutes: number, life: number) => Partial<Reading>,
  restartAt: readonly number[] = [],
): Sample[] =>
  Array.from({ length: 120 }, (_, i) => {
    const life = 1 + restartAt.filter((minute) => i / 2 >= minute).length;
    const began = restartAt[life - 2] ?? 0;
    return { at: i * 30, process: 'p', life, ...calm, ...change(i / 2 - began, life) };
  });
const grown = (samples: readonly Sample[]): string[] =>
  trends(samples, 300)
    .filter(({ result }) => result === 'grows')
    .map(({ measure }) => measure);

test('noise, peaks and a slow start are flat', () => {
  assert.deepEqual(
    grown(series(() => ({ heap: 50 + 10 * random(), rss: 150 + 60 * random(), lag: 500 * random() }))),
    [],
  );
  assert.deepEqual(grown(series((minutes) => ({ heap: minutes % 10 === 0 ? 400 : 50 }))), []);
  assert.deepEqual(grown(series((minutes) => ({ heap: 50 - 40 * Math.exp(-minutes) }))), []);
});

test('a leak grows, though it is smaller than the noise', () => {
  assert.deepEqual(grown(series((minutes) => ({ heap: 50 + 0.3 * minutes + 20 * random() }))), ['heap']);
  assert.deepEqual(grown(series((minutes) => ({ descriptors: 40 + Math.floor(minutes / 3) }))), ['descriptors']);
  assert.deepEqual(grown(series((minutes) => ({ lag: 20 + 5 * minutes * random() * 2 }))), ['lag']);
  assert.deepEqual(grown(series((minutes) => ({ children: 1 + Math.floor(minutes / 5) }))), ['children']);
});

test('a leak is detected despite restarts that reset it', () => {
  assert.deepEqual(grown(series((minutes) => ({ heap: 50 + 0.5 * minutes }), [20, 40])), ['heap']);
  assert.deepEqual(
    grown(series((_, life) => ({ heap: 50 + 10 * life }), [20, 40])),
    [],
    'another level after a restart is not a trend',
  );
});

test('a slope that is measured in the last part of a run counts for all of it', () => {
  const leak = series((minutes) => ({ heap: 50 + 0.12 * minutes }), [20]);
  const [heap] = trends(leak, 900).filter(({ measure }) => measure === 'heap');
  assert.equal(heap?.points, 60, 'what is left after the warm-up of both lives');
  assert.equal(heap?.growth.toFixed(1), '7.1', '0.12 MiB per minute for an hour');
  assert.equal(heap?.result, 'grows');
});

test('too few points show no trend', () => {
  const [first] = trends(series(() => ({})).slice(0, 15), 300);
  assert.equal(first?.result, 'too short');
});

test('median', () => {
  assert.deepEqual([median([3, 1, 2]), median([4, 1, 2, 3]), median([])], [2, 2.5, 0]);
});

test('the plot has a panel for each measure, with a line for each run of a process', () => {
  const samples = series(() => ({}), [20]);
  const text = plot(samples, 'a & b');
  assert.equal(text.match(/<polyline/gu)?.length, 2 * Object.keys(calm).length);
  assert.match(text, /a &amp; b/u);
  assert.doesNotMatch(text, /NaN|undefined|Infinity/u);
});

test('the table has a row for each sample', () => {
  const lines = (csvHeader + csvRows(series(() => ({ heap: 1 / 3 })))).trimEnd().split('\n');
  assert.equal(lines.length, 121);
  assert.deepEqual(lines.slice(0, 2), [
    'at,process,life,heap,rss,childRss,descriptors,lag,children',
    '0,p,1,0.33,150,60,40,20,1',
  ]);
});
