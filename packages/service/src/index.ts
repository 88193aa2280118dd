export { Backend, type BackendOptions } from './backend/backend.ts';
export type { ClusterLogin, ClusterProbe, RepositoryProbe } from './backend/probes.ts';
export { type Cipher, createCipher } from './cipher.ts';
export { ClusterAgent, type ClusterAgentOptions } from './cluster-agent/cluster-agent.ts';
export { migrate, type OpenDatabase, openPglite, openPostgres } from './database/index.ts';
export { type ServiceMetrics, serviceMetrics } from './metrics.ts';
export { defaultServiceSettings, type Quotas, type ServiceSettings } from './settings.ts';
export { type Engine, ensureEngine } from './store/index.ts';
