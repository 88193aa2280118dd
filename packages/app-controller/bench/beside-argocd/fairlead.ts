import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Processes, type StartSystem } from '../../test/support/real-argocd/index.ts';

/** `fairlead controller`. */
export const startFairlead: StartSystem = async (dir, kubeconfig) => {
  const processes = new Processes(dir);
  const command = fileURLToPath(new URL('../../../cli/bin/fairlead.js', import.meta.url));
  processes.start('fairlead', process.execPath, [
    command,
    'controller',
    '--kubeconfig',
    kubeconfig,
    '--cache-dir',
    join(dir, 'cache'),
  ]);
  return processes;
};
