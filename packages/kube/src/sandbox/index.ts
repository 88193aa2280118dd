export type { SandboxProtocol } from './protocol.ts';
export { SandboxPool, type SandboxPoolOptions } from './sandbox-pool.ts';
export { SandboxLimitExceeded, type SandboxLimits, type SandboxTask } from './sandbox-worker.ts';
