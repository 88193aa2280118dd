import { defineMetrics, type MetricsRegistry } from '@fairlead/kube';

/** The first two have Argo CD's names and labels. */
export const notificationMetrics = defineMetrics({
  deliveries: {
    name: 'argocd_notifications_deliveries_total',
    type: 'counter',
    labels: ['trigger', 'service', 'succeeded'],
    help: 'Number of delivered notifications.',
  },
  evaluations: {
    name: 'argocd_notifications_trigger_eval_total',
    type: 'counter',
    labels: ['name', 'triggered'],
    help: 'Number of trigger evaluations.',
  },
  retries: {
    name: 'fairlead_notifications_retries_total',
    type: 'counter',
    labels: ['service'],
    help: 'Number of deliveries that were tried again after a failure.',
  },
  problems: {
    name: 'fairlead_notifications_config_problems',
    type: 'gauge',
    labels: ['namespace'],
    help: 'Number of invalid parts of the notifications configuration.',
  },
});

export const createNotificationMetrics = (registry: MetricsRegistry) => registry.create(notificationMetrics);
export type NotificationMetrics = ReturnType<typeof createNotificationMetrics>;
