/** A sandbox that runs jq, compiled to WebAssembly. */
import { serveSandbox } from '@fairlead/kube/serve-sandbox';
import { loadJq } from 'jq-wasm';

export interface JqProtocol {
  readonly task: {
    readonly program: string;
    /** JSON documents, one per line. */
    readonly input: string;
  };
  readonly result: { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
}

/** The paths of ordinary expressions take a few hundred bytes per object. */
const maxOutput = 8 * 1024 * 1024;

const jq = await loadJq();
serveSandbox<JqProtocol>(({ program, input }) => {
  const { stdout, stderr, exitCode } = jq.raw(input, program, ['-c']);
  if (stdout.length > maxOutput)
    return { stdout: '', stderr: `the output has more than ${maxOutput / 1024 ** 2} MiB`, exitCode: 5 };
  return { stdout, stderr, exitCode };
});
