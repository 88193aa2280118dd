/** A control plane in a separate process, filled with Applications and with objects that belong to none. */
import { startControlPlane } from '@fairlead/control-plane';
import { paceCollections } from '@fairlead/kube';
import { seedCluster } from './seed-cluster.ts';

paceCollections();
const [apps = 0, strangers = 0] = process.argv.slice(2, 4).map(Number);
const [repoURL = '', seeded = ''] = process.argv.slice(4);
const plane = await startControlPlane({ token: 'bench' });
await seedCluster(plane.client('bench'), { apps, strangers, repoURL, seeded: seeded === 'seeded' });
process.send?.({ ready: { kubeconfig: plane.kubeconfig() } });
process.on('disconnect', () => void plane.close().then(() => process.exit(0)));
