import { resolve } from 'node:path';
import { type DataDir, defaultDataDir } from '../data-dir.ts';

export interface HintsOptions {
  readonly dir: DataDir;
  readonly kubeconfig: string;
  /** The file of the demo that a newcomer is told to edit. */
  readonly file: string;
  /** Whether npm has started us: `fairlead` is not on the path then. */
  readonly byNpm: boolean;
}

/** What to do next, in lines that can be copied as they are. */
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
Push a newer image to the demo registry, and see it go live:
  ${program} demo push web 1.2.0${here}
Ctrl-C stops; the next start goes on from here.
`;
}
