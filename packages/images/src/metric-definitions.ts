import { defineMetrics } from '@fairlead/kube';

const application = ['application', 'namespace'] as const;

/** The names of Argo CD Image Updater. */
export const metricDefinitions = defineMetrics({
  requests: {
    name: 'argocd_image_updater_registry_requests_total',
    type: 'counter',
    labels: ['registry'],
    help: 'Requests to a registry',
  },
  failedRequests: {
    name: 'argocd_image_updater_registry_requests_failed_total',
    type: 'counter',
    labels: ['registry'],
    help: 'Requests to a registry that failed',
  },
  statuses: {
    name: 'argocd_image_updater_registry_http_status_total',
    type: 'counter',
    labels: ['registry', 'code'],
    help: 'Responses of a registry by status',
  },
  retries: {
    name: 'argocd_image_updater_registry_request_retries_total',
    type: 'counter',
    labels: ['registry'],
    help: 'Requests to a registry that were retried',
  },
  inFlight: {
    name: 'argocd_image_updater_registry_in_flight_requests',
    type: 'gauge',
    labels: ['registry'],
    help: 'Requests to a registry in flight',
  },
  requestDuration: {
    name: 'argocd_image_updater_registry_request_duration_seconds',
    type: 'histogram',
    labels: ['registry'],
    help: 'Time that a registry takes to respond',
  },
  leaders: {
    name: 'argocd_image_updater_singleflight_leaders_total',
    type: 'counter',
    help: 'Registry queries that were sent',
  },
  followers: {
    name: 'argocd_image_updater_singleflight_followers_total',
    type: 'counter',
    help: 'Registry queries that shared the response of another',
  },
  applicationsWatched: {
    name: 'argocd_image_updater_applications_watched_total',
    type: 'gauge',
    help: 'Applications that are watched',
  },
  imagesWatched: {
    name: 'argocd_image_updater_images_watched_total',
    type: 'gauge',
    labels: application,
    help: 'Images that are watched',
  },
  imagesUpdated: {
    name: 'argocd_image_updater_images_updated_total',
    type: 'counter',
    labels: application,
    help: 'Images that were updated',
  },
  imageErrors: {
    name: 'argocd_image_updater_images_errors_total',
    type: 'counter',
    labels: application,
    help: 'Errors while updating images',
  },
  imagesConsidered: {
    name: 'argocd_image_updater_images_considered_total',
    type: 'counter',
    labels: application,
    help: 'Images that were checked',
  },
  imagesSkipped: {
    name: 'argocd_image_updater_images_skipped_total',
    type: 'counter',
    labels: application,
    help: 'Images that were skipped',
  },
  updateDuration: {
    name: 'argocd_image_updater_application_update_duration_seconds',
    type: 'histogram',
    labels: application,
    help: 'Time that an update of an Application takes',
  },
  lastAttempt: {
    name: 'argocd_image_updater_application_last_attempt_timestamp',
    type: 'gauge',
    labels: application,
    help: 'When the last update attempt began, in seconds',
  },
  lastSuccess: {
    name: 'argocd_image_updater_application_last_success_timestamp',
    type: 'gauge',
    labels: application,
    help: 'When the last update without an error ended, in seconds',
  },
  schedulerSkipped: {
    name: 'argocd_image_updater_scheduler_skipped_total',
    type: 'counter',
    labels: ['reason'],
    help: 'Application updates that were not started, by reason',
  },
  cycleDuration: {
    name: 'argocd_image_updater_update_cycle_duration_seconds',
    type: 'histogram',
    help: 'Time that a whole update cycle takes',
  },
});
