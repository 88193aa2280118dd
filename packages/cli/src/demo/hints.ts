import { resolve } from 'node:path';
import { type DataDir, defaultDataDir } from '../data-dir.ts';

export interface HintsOptions {
  readonly dir: DataDir;
  readonly kubeconfig: string;
  /** The file of the demo to edit. */
  readonly file: string;
  /** Whether npm started the process: `fairlead` may not be on the PATH then. */
  readonly byNpm: boolean;
}

/** The next steps, as commands to copy. */
export function hints({ dir, kubeconfig, file, byNpm }: HintsOptions): string {
  const program = byNpm ? 'npm run -s fairlead --' : 'fairlead';
  const here = dir.root === resolve(defaultDataDir) ? '' : ` --data-dir ${dir.root}`;
  return `
In another terminal${here === '' ? ', in this folder' : ''}:
  ${program} get apps -w${here}
  ${program} app tree web${here}
  ${program} app explain web${here}
or with kubectl: export KUBECONFIG=${kubeconfig}
Edit this file, for example its replicas, and commit:
  ${file}
Push a newer image to the demo registry and watch the rollout:
  ${program} demo push web 1.2.0${here}
Press Ctrl-C to stop; the next start continues with the same data.
`;
}
