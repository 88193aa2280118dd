/** The Lease of each role that works in one process at a time, or whose replicas share the work. `up` takes all of them. */
export const roleLeases = {
  controller: 'fairlead-app-controller',
  applicationset: 'fairlead-applicationset-controller',
  notifications: 'fairlead-notifications',
  images: 'fairlead-image-updater',
  prepull: 'fairlead-prepull',
  service: 'fairlead-service-backend',
} as const;
