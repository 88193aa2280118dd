export { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts';
export { kubeconfigText } from './kubeconfig.ts';
export { createLocalClient } from './local-client.ts';
