import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningUp } from '../../test/support/start-up.ts';

/** The demo's repository, as its Applications name it. */
export const demoRepository = ({ dir }: RunningUp): string => `file://${join(dir, 'git', 'demo.git')}`;

/** Commits another number of replicas of `web`. */
export function commitReplicas({ dir }: RunningUp, replicas: number): void {
  const clone = join(dir, 'demo');
  const file = join(clone, 'web', 'deployment.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/replicas: \d+/u, `replicas: ${replicas}`));
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', clone, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      stdio: 'pipe',
    });
  };
  git('commit', '-qam', `Run ${replicas} replicas of the web page`);
  git('push', '-q');
}
