export { FakeAppController } from './fake-app-controller.ts';
export { serviceBurst } from './service-burst.ts';
export { serviceCrashPoints } from './service-crash-points.ts';
export { serviceStorm } from './service-storm.ts';
export { closeEngine } from './sim-database.ts';
