import { defineMetrics } from '../metrics/definitions.ts';

const queue = ['name', 'lane'] as const;

/** Names that dashboards for Kubernetes controllers use. */
export const metricDefinitions = defineMetrics({
  depth: { name: 'workqueue_depth', type: 'gauge', labels: queue, help: 'Keys that wait' },
  adds: { name: 'workqueue_adds_total', type: 'counter', labels: queue, help: 'Keys added' },
  retries: {
    name: 'workqueue_retries_total',
    type: 'counter',
    labels: queue,
    help: 'Keys added again after a failure',
  },
  waitDuration: {
    name: 'workqueue_queue_duration_seconds',
    type: 'histogram',
    labels: queue,
    help: 'Time that keys waited',
  },
  workDuration: {
    name: 'workqueue_work_duration_seconds',
    type: 'histogram',
    labels: queue,
    help: 'Time that work on keys took',
  },
  reconciles: {
    name: 'controller_reconcile_total',
    type: 'counter',
    labels: ['controller', 'result'],
    help: 'Reconciles by result',
  },
  reconcileTime: {
    name: 'controller_reconcile_time_seconds',
    type: 'histogram',
    labels: ['controller'],
    help: 'Time that reconciles took',
  },
  activeWorkers: {
    name: 'controller_active_workers',
    type: 'gauge',
    labels: ['controller'],
    help: 'Workers that reconcile',
  },
});
