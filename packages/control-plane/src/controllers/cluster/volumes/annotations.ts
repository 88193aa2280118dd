/** The annotations of a binding on claims and volumes. */
export const bindCompleted = 'pv.kubernetes.io/bind-completed';
export const boundByController = 'pv.kubernetes.io/bound-by-controller';
export const selectedNode = 'volume.kubernetes.io/selected-node';
export const provisionedBy = 'pv.kubernetes.io/provisioned-by';
export const storageProvisioner = 'volume.kubernetes.io/storage-provisioner';
export const betaStorageProvisioner = 'volume.beta.kubernetes.io/storage-provisioner';

export const noProvisioner = 'kubernetes.io/no-provisioner';
