import type {
  GitOpsDeploymentManagedEnvironment,
  GitOpsDeploymentRepositoryCredential,
  GitOpsDeploymentSyncRun,
} from '@fairlead/api';
import type { KubeObject } from '@fairlead/apimachinery';
import type { ApiClient, Clock, Informer, Logger, Random } from '@fairlead/kube';
import type { Cipher } from '../cipher.ts';
import type { Database } from '../database/index.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { OwnWrites } from '../own-writes.ts';
import type { ServiceSettings } from '../settings.ts';
import type { ArgocdInstance } from '../store/index.ts';
import type { CreationOrder } from './creation-order.ts';
import type { ObservedDeployment } from './observed-deployment.ts';
import type { ClusterProbe, RepositoryProbe, ServiceAccountRemoval } from './probes.ts';
import type { UidIndex } from './uid-index.ts';

/** The dependencies of the runners. */
export interface Context {
  /** The API with the tenants' resources. */
  readonly client: ApiClient;
  readonly db: Database;
  readonly instance: ArgocdInstance;
  readonly cipher: Cipher;
  readonly deployments: OwnWrites<ObservedDeployment>;
  readonly deploymentInformer: Informer<ObservedDeployment>;
  readonly deploymentKeys: UidIndex;
  readonly syncRuns: Informer<GitOpsDeploymentSyncRun>;
  readonly runOrder: CreationOrder;
  readonly environments: Informer<GitOpsDeploymentManagedEnvironment>;
  readonly credentials: Informer<GitOpsDeploymentRepositoryCredential>;
  readonly namespaces: Informer<KubeObject>;
  readonly probeCluster: ClusterProbe;
  readonly probeRepository: RepositoryProbe;
  readonly removeServiceAccount: ServiceAccountRemoval;
  readonly settings: ServiceSettings;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Enqueues a key: other work depends on what has just changed. */
  readonly enqueue: (key: string) => void;
}
