export { audit, type Finding } from './audit/audit.ts';
export { Backend, type BackendOptions } from './backend/backend.ts';
export { probeCluster } from './backend/probe-cluster.ts';
export { repositoryProbe } from './backend/probe-repository.ts';
export type { ClusterLogin, ClusterProbe, RepositoryProbe } from './backend/probes.ts';
export { type Cipher, createCipher } from './cipher.ts';
export { type Listen, migrate, type OpenDatabase, openPglite, openPostgres } from './database/index.ts';
export { type Healer, healing } from './healing.ts';
export { type HostKind, hostKinds } from './host-kind.ts';
export { type ServiceMetrics, serviceMetrics } from './metrics.ts';
export { OperationController, type OperationControllerOptions } from './operation-controller/operation-controller.ts';
export { defaultServiceSettings, type Quotas, type ServiceSettings } from './settings.ts';
export {
  auditService,
  type RunningService,
  type ServiceOptions,
  type ServicePart,
  startService,
} from './start-service.ts';
export { type ArgocdInstance, ensureArgocdInstance } from './store/index.ts';
