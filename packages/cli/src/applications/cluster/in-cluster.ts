/** How Applications call the cluster that they live in. Kept apart from the controller, which no command should load for two words. */
export const inClusterServer = 'https://kubernetes.default.svc';
export const inClusterName = 'in-cluster';

export const isInCluster = ({
  server = '',
  name = '',
}: {
  readonly server?: string;
  readonly name?: string;
}): boolean => name === inClusterName || (name === '' && server.replace(/\/$/u, '') === inClusterServer);
