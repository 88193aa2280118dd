export * from './event-pipe.ts';
export * from './fault-profile.ts';
export * from './sim-api-server.ts';
export * from './sim-process.ts';
export * from './sim-store.ts';
export * from './virtual-clock.ts';
export * from './world.ts';
