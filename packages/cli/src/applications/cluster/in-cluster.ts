/** The destination that means the Application's own cluster. Separate from the controller package, which is slow to load. */
export const inClusterServer = 'https://kubernetes.default.svc';
export const inClusterName = 'in-cluster';

export const isInCluster = ({
  server = '',
  name = '',
}: {
  readonly server?: string;
  readonly name?: string;
}): boolean => name === inClusterName || (name === '' && server.replace(/\/$/u, '') === inClusterServer);
