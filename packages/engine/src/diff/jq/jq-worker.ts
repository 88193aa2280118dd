/** Runs jq (compiled to WebAssembly: no files, no network, no environment) for the thread that started it. */
import { parentPort } from 'node:worker_threads';
import { loadJq } from 'jq-wasm';

export interface JqJob {
  readonly id: number;
  readonly program: string;
  /** JSON documents, one per line. */
  readonly input: string;
}

export interface JqAnswer {
  readonly id: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export type FromJqWorker = { readonly ready: true } | JqAnswer;

const jq = await loadJq();
parentPort?.on('message', ({ id, program, input }: JqJob) => {
  const answer: JqAnswer = { id, ...jq.raw(input, program, ['-c']) };
  parentPort?.postMessage(answer);
});
parentPort?.postMessage({ ready: true } satisfies FromJqWorker);
