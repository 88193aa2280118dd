import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApplicationSource } from '@fairlead/api';
import type { Figure } from '../../../scripts/bench.ts';
import { renderChart, templateOutput } from '../src/helm/index.ts';
import {
  createManifestCache,
  createRenderPool,
  memoryTree,
  type Renderer,
  renderSource,
  type Tree,
} from '../src/index.ts';
import { kustomizeYaml } from '../src/kustomize/index.ts';
import { monorepoFigures } from './monorepo.ts';
import { largeChart, largeKustomization, readFiles, smallOverlay, writeFiles } from './samples.ts';

/**
 * The figures of rendering. `npm run bench -- render [overlay|large|helm|unchanged|monorepo]… [FOLDER]`: FOLDER may be a kustomization, a
 * chart, or a corpus with `kustomize` and `helm` suites; without one, large sources are generated.
 */
export async function* bench(args: readonly string[]): AsyncGenerator<Figure> {
  const folders = args.filter((arg) => existsSync(arg) && statSync(arg).isDirectory()).map((arg) => resolve(arg));
  const parts = args.filter((arg) => !folders.includes(resolve(arg)));
  const isSelected = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  try {
    if (isSelected('overlay')) yield* overlay(join(dir, 'small'));
    if (isSelected('large')) yield* large(join(dir, 'large'), folders);
    if (isSelected('helm')) yield* helm(folders);
    if (isSelected('unchanged')) yield* unchanged();
    if (isSelected('monorepo')) yield* monorepoFigures(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** The median of many runs, once the code is warm. */
async function timed(work: () => unknown, { warm, runs }: { warm: number; runs: number }): Promise<number> {
  for (let i = 0; i < warm; i++) await work();
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

const kubectl = ((): string | undefined => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'pipe' });
    return 'kubectl';
  } catch {
    return undefined;
  }
})();

const forked = (dir: string): Promise<number> =>
  timed(() => execFileSync(kubectl!, ['kustomize', dir], { stdio: 'pipe', maxBuffer: 1 << 28 }), { warm: 1, runs: 7 });

async function* beside(title: string, ours: number, dir: string, atMost?: number): AsyncGenerator<Figure> {
  if (!kubectl) return;
  const theirs = await forked(dir);
  yield { name: `${title}: kubectl kustomize`, value: theirs, unit: 'ms' };
  yield {
    name: `${title}: ours as a share of kubectl's`,
    value: ours / theirs,
    unit: '',
    ...(atMost === undefined ? {} : { atMost }),
    note: `${(theirs / ours).toFixed(1)} times as fast`,
  };
}

async function* overlay(dir: string): AsyncGenerator<Figure> {
  writeFiles(dir, smallOverlay);
  const source: ApplicationSource = { repoURL: 'bench', path: 'overlay' };
  const pool = createRenderPool({ workers: 1 });
  const measure = (render: Renderer, tree: Tree): Promise<number> =>
    timed(() => render(source, tree), { warm: 400, runs: 400 });
  try {
    const tree = memoryTree(readFiles(dir));
    yield {
      name: 'small overlay, first in this process',
      value: await timed(() => renderSource(source, tree), { warm: 0, runs: 1 }),
      unit: 'ms',
    };
    const here = await measure(renderSource, tree);
    yield { name: 'small overlay, warm, in this thread', value: here, unit: 'ms', atMost: 2 };
    const worker = await measure(pool.render, tree);
    yield { name: 'small overlay, warm, in a worker', value: worker, unit: 'ms', atMost: 2 };
    yield* beside('small overlay', worker, join(dir, 'overlay'));
  } finally {
    await pool.close();
  }
}

const kustomizationFile = /^(?:kustomization\.ya?ml|Kustomization)$/u;

/** The large kustomization to measure: the given one, the largest of a suite, or a generated one. */
function largeOne(dir: string, folders: readonly string[]): { name: string; root: string; path: string } {
  for (const folder of folders) {
    if (readdirSync(folder).some((name) => kustomizationFile.test(name)))
      return { name: folder.split('/').at(-1)!, root: folder, path: '' };
    const suite = [folder, join(folder, 'kustomize')].find(
      (one) => existsSync(join(one, 'expected')) && existsSync(join(one, 'inputs')),
    );
    if (!suite) continue;
    const size = (name: string): number =>
      statSync(join(suite, 'expected', name, 'out.yaml'), { throwIfNoEntry: false })?.size ?? 0;
    const name = readdirSync(join(suite, 'expected')).sort((a, b) => size(b) - size(a))[0]!;
    const { dir: path } = JSON.parse(readFileSync(join(suite, 'expected', name, 'case.json'), 'utf8')) as {
      dir: string;
    };
    return { name, root: join(suite, 'inputs', name), path: path === '.' ? '' : path };
  }
  writeFiles(dir, largeKustomization());
  return { name: 'a generated one', root: dir, path: '' };
}

async function* large(dir: string, folders: readonly string[]): AsyncGenerator<Figure> {
  const { name, root, path } = largeOne(dir, folders);
  const tree = memoryTree(readFiles(root));
  const title = `large kustomization (${name})`;
  const text = await timed(() => kustomizeYaml(tree, path), { warm: 10, runs: 9 });
  yield { name: `${title}, written as YAML`, value: text, unit: 'ms' };
  const pool = createRenderPool({ workers: 1 });
  try {
    const source = { repoURL: 'bench', path };
    const worker = await timed(() => pool.render(source, tree), { warm: 10, runs: 9 });
    yield { name: `${title}, in a worker`, value: worker, unit: 'ms' };
    yield* beside(title, Math.max(text, worker), join(root, path), 1);
  } finally {
    await pool.close();
  }
}

interface HelmCase {
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  readonly values: readonly string[];
  readonly set?: readonly string[];
  readonly apiVersions: readonly string[];
  readonly kubeVersion?: string;
  readonly helmVersion: string;
}

/** The largest case of the largest chart of a suite, or a given chart, or a generated one. */
function largeChartOf(folders: readonly string[]): { name: string; run: () => Promise<string> } {
  for (const folder of folders) {
    if (existsSync(join(folder, 'Chart.yaml')))
      return chartRun(folder.split('/').at(-1)!, memoryTree(readFiles(folder)));
    const suite = [folder, join(folder, 'helm')].find((one) => existsSync(join(one, 'cases')));
    if (!suite) continue;
    const chart = readdirSync(join(suite, 'charts'))
      .map((name) => ({ name, files: readFiles(join(suite, 'charts', name)) }))
      .sort((a, b) => sizeOf(b.files) - sizeOf(a.files))[0]!;
    const cases = readdirSync(join(suite, 'cases'))
      .map((name) => ({ name, at: join(suite, 'cases', name) }))
      .map(({ name, at }) => ({ name, at, ...(JSON.parse(readFileSync(join(at, 'case.json'), 'utf8')) as HelmCase) }))
      .filter((one) => one.chart === chart.name);
    const output = ({ at }: { at: string }): number => statSync(join(at, 'expected.yaml')).size;
    const { at, name, release, namespace, values, ...rest } = cases.sort((a, b) => output(b) - output(a))[0]!;
    const tree = memoryTree(chart.files);
    const refs = new Map([
      ['case', memoryTree(Object.fromEntries(values.map((file) => [file, readFileSync(join(at, file))])))],
    ]);
    const options = {
      ...rest,
      release: { name: release, namespace },
      refs,
      valueFiles: values.map((file) => `$case/${file}`),
    };
    return { name, run: async () => templateOutput(await renderChart(tree, '', options)) };
  }
  return chartRun('a generated chart', memoryTree(largeChart()));
}

const sizeOf = (files: Record<string, string | Uint8Array>): number =>
  Object.values(files).reduce((sum, content) => sum + content.length, 0);
const chartRun = (name: string, tree: Tree): { name: string; run: () => Promise<string> } => ({
  name,
  run: async () => templateOutput(await renderChart(tree, '')),
});

async function* helm(folders: readonly string[]): AsyncGenerator<Figure> {
  const { name, run } = largeChartOf(folders);
  yield { name: `large chart (${name}), first`, value: await timed(run, { warm: 0, runs: 1 }), unit: 'ms' };
  const output = await run();
  yield {
    name: `large chart (${name}), warm`,
    value: await timed(run, { warm: 5, runs: 7 }),
    unit: 'ms',
    note: `${Math.round(output.length / 1024)} KiB of manifests`,
  };
}

async function* unchanged(): AsyncGenerator<Figure> {
  const cache = createManifestCache();
  const source = { repoURL: 'bench', path: 'overlay' };
  const trees = [memoryTree(smallOverlay), memoryTree({ ...smallOverlay, 'other/x.yaml': 'x: 1\n' })];
  let turn = 0;
  const time = await timed(() => cache.render('bench', source, trees[turn++ % 2]!), { warm: 2_000, runs: 5_000 });
  if (cache.renders !== 1) throw new Error(`rendered ${cache.renders} times`);
  yield { name: 'unchanged re-render of a small overlay', value: time, unit: 'ms', atMost: 0.1 };
}
