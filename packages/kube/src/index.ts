export { aborted, onAbort, untilAborted } from './abort.ts';
export { type Change, changesOfSeen } from './cache/changes.ts';
export { Informer, type InformerHandler, type InformerOptions } from './cache/informer.ts';
export { InformerFactory, withoutManagedFields } from './cache/informer-factory.ts';
export { ObjectStore } from './cache/object-store.ts';
export { Reflector, type ReflectorSink } from './cache/reflector.ts';
export { findByApiVersion } from './client/api-catalogue.ts';
export type {
  ApiClient,
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
  PatchType,
  Propagation,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client/api-client.ts';
export { Discovery } from './client/discovery.ts';
export { parseRetryAfter } from './client/http-answer.ts';
export { HttpClient } from './client/http-client.ts';
export { type ForwardedRequest, HttpConnection, type HttpRequest, type TlsOptions } from './client/http-connection.ts';
export { listAll } from './client/list-all.ts';
export type { ExecOptions, ExecResult, ExecSession, StartExec } from './client/pod-exec.ts';
export { readLines } from './client/read-lines.ts';
export { TransportError } from './client/transport-error.ts';
export type { UpgradeAnswer } from './client/upgrade-request.ts';
export { type Clock, sleep, systemClock } from './clock.ts';
export { type CredentialSource, fixedCredentials } from './config/credentials.ts';
export { execCredentials } from './config/exec-credentials.ts';
export { accessOf, type ClusterAccess, loadKubeconfig } from './config/kubeconfig.ts';
export { type ExecConfig, type Kubeconfig, parseKubeconfig } from './config/kubeconfig-file.ts';
export { Controller, type ControllerMetrics } from './controller/controller.ts';
export { controllerMetrics } from './controller/controller-metrics.ts';
export { Manager, type Runnable } from './controller/manager.ts';
export { metricDefinitions } from './controller/metric-definitions.ts';
export {
  done,
  type Outcome,
  type Reconcile,
  type ReconcileContext,
  requeueAfter,
  TooManyWaits,
} from './controller/reconcile.ts';
export { EventRecorder } from './events/event-recorder.ts';
export { eventsType, type KubeEvent, type NewEvent } from './events/kube-event.ts';
export { LeaderElector } from './leader-election/leader-election.ts';
export type { Lease } from './leader-election/lease.ts';
export { LostLeaseError } from './leader-election/lost-lease-error.ts';
export { formatLimit, type LimitDefinition, type LimitName, limits, limitTable } from './limits/limit-table.ts';
export { createLogger, type Logger, type LogLevel, silentLogger } from './logger.ts';
export {
  defineMetrics,
  durationBuckets,
  type MetricDefinition,
  type MetricDefinitions,
} from './metrics/definitions.ts';
export { eventLoopMonitor, processMetricDefinitions } from './metrics/event-loop-lag.ts';
export type { Counter, Gauge, Histogram } from './metrics/instruments.ts';
export { type InstrumentsOf, MetricsRegistry } from './metrics/metrics.ts';
export { type ProxiedPaths, type StatusServer, startStatusServer } from './metrics/status-server.ts';
export { paceCollections, youngGenerationFlag } from './process/garbage.ts';
export { stopSignal } from './process/stop-signal.ts';
export { Backoff } from './queue/backoff.ts';
export { Heap } from './queue/heap.ts';
export { Lanes } from './queue/lanes.ts';
export { ExponentialBackoff, type RateLimiter, TokenBucket } from './queue/rate-limiter.ts';
export { RecentActivity } from './queue/recent-activity.ts';
export { type Random, seededRandom, systemRandom } from './random.ts';
export { type PublishOptions, publishRoleStatus } from './role-status/publish-role-status.ts';
export { RoleReport } from './role-status/role-report.ts';
export {
  isRunning,
  type QueueStatus,
  type RoleStatus,
  readRoleStatus,
  roleExpiryMs,
  roleLabel,
  roleStatusAnnotation,
} from './role-status/role-status.ts';
export { Assignment } from './shards/assignment.ts';
export { GaveUpKey } from './shards/held-keys.ts';
export { rendezvous } from './shards/rendezvous.ts';
export { ShardMember, type ShardOptions } from './shards/shard-member.ts';
