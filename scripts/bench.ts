/**
 * `npm run bench -- NAME [--json] [--check] [--kubeconfig FILE] [--argocd FILE]`: runs one benchmark. `--json` prints one object as the last line; `--check` exits
 * with 1 and names each figure that misses its target; `--kubeconfig` names a cluster for those that can use one,
 * `--argocd` a program of Argo CD for those that compare with it.
 */
import { resolve } from 'node:path';
import { paceCollections } from '@fairlead/kube/process';
import { exitAfterOutput, readCommandLine } from './command-line.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The target: the figure must be at most, or at least, this. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

export interface BenchOptions {
  /** The path of the kubeconfig of a cluster to use instead of the embedded one. */
  readonly kubeconfig?: string;
  /** The program of a real Argo CD, and the folder with a real control plane. */
  readonly argocd?: string;
  readonly kubeBin?: string;
  /** The number of Applications. */
  readonly apps?: number;
}

export type Bench = (args: readonly string[], options: BenchOptions) => AsyncIterable<Figure>;

const benches: Record<string, string> = {
  agent: '../packages/agent/bench/agent.ts',
  api: '../packages/server/bench/api.ts',
  fleet: '../packages/server/bench/fleet-api.ts',
  'control-plane': '../packages/control-plane/bench/control-plane.ts',
  render: '../packages/render/bench/render.ts',
  engine: '../packages/engine/bench/engine.ts',
  reconcile: '../packages/app-controller/bench/reconcile.ts',
  requests: '../packages/app-controller/bench/requests.ts',
  'beside-argocd': '../packages/app-controller/bench/beside-argocd/beside-argocd.ts',
  shards: '../packages/app-controller/bench/shards.ts',
  applicationset: '../packages/app-controller/bench/applicationset.ts',
  images: '../packages/images/bench/images.ts',
  prepull: '../packages/prepull/bench/prepull.ts',
  service: '../packages/service/bench/service.ts',
  ui: '../packages/ui/bench/ui.ts',
};

// Garbage collection in the measuring process must not disturb the measurement.
paceCollections();
const usage = `usage: npm run bench -- NAME [--json] [--check] [--kubeconfig FILE] [--argocd FILE --kube-bin DIR] [--apps N]\nbenchmarks: ${Object.keys(benches).join(', ')}`;
const { values, positionals, refuse } = readCommandLine(usage, {
  json: { type: 'boolean' },
  check: { type: 'boolean' },
  kubeconfig: { type: 'string' },
  argocd: { type: 'string' },
  'kube-bin': { type: 'string' },
  apps: { type: 'string' },
});
const [name = '', ...rest] = positionals;
const path = benches[name] ?? refuse(name && `unknown benchmark ${name}`);
const { bench } = (await import(path)) as { bench: Bench };
const figures: Figure[] = [];
const missed: string[] = [];
if (values.apps !== undefined && !/^[1-9]\d*$/u.test(values.apps)) refuse('--apps must be a whole number, at least 1');
const options: BenchOptions = {
  ...(values.kubeconfig === undefined ? {} : { kubeconfig: resolve(values.kubeconfig) }),
  ...(values.argocd === undefined ? {} : { argocd: resolve(values.argocd) }),
  ...(values['kube-bin'] === undefined ? {} : { kubeBin: resolve(values['kube-bin']) }),
  ...(values.apps === undefined ? {} : { apps: Number(values.apps) }),
};
for await (const figure of bench(rest, options)) {
  figures.push(figure);
  const target =
    figure.atMost !== undefined
      ? ` (at most ${figure.atMost})`
      : figure.atLeast !== undefined
        ? ` (at least ${figure.atLeast})`
        : '';
  const text = `${figure.name}: ${Number(figure.value.toPrecision(4))} ${figure.unit}${target}${figure.note ? ` — ${figure.note}` : ''}`;
  console.log(text);
  if ((figure.atMost ?? Infinity) < figure.value || (figure.atLeast ?? -Infinity) > figure.value) missed.push(text);
}
if (values.json) console.log(JSON.stringify({ name, figures }));
const isMissed = values.check === true && missed.length > 0;
if (isMissed) for (const line of missed) console.error(`missed: ${line}`);
exitAfterOutput(isMissed ? 1 : 0);
