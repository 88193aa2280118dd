import { agentRole } from './agent.ts';
import { applicationSetRole } from './applicationset.ts';
import { controllerRole } from './controller.ts';
import { imagesRole } from './images.ts';
import { notificationsRole } from './notifications.ts';
import { prepullRole } from './prepull.ts';
import { principalRole } from './principal.ts';
import { serverRole } from './server.ts';
import { serviceRole } from './service.ts';

/** Every role that a process can run, by the name of its command. `fairlead up` starts all of them. */
export const roles = {
  controller: controllerRole,
  applicationset: applicationSetRole,
  service: serviceRole,
  principal: principalRole,
  agent: agentRole,
  images: imagesRole,
  notifications: notificationsRole,
  prepull: prepullRole,
  server: serverRole,
} as const;

export type RoleName = keyof typeof roles;

export { type Environment, readEnvironment } from '../environment.ts';
export { install } from '../install.ts';
export type { ImagesOptions, RunningImages } from './images.ts';
export { startReported } from './report-role.ts';
export type { Role, RoleContext, RunningRole } from './role.ts';
