export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
export { simProvisioner, simStorageClass } from './controllers/cluster/index.ts';
export { startControllers } from './controllers/index.ts';
export { type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from './embedded-cluster.ts';
export { kubeconfigText } from './kubeconfig.ts';
export { createLocalClient } from './local-client.ts';
export { type Fleet, startFleet } from './nodes/fleet.ts';
export { scaledClock } from './scaled-clock.ts';
